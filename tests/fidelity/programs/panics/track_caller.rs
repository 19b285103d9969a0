use std::panic::Location;

#[track_caller]
fn whereami() -> &'static Location<'static> {
    Location::caller()
}

#[track_caller]
fn check(x: i32) -> i32 {
    if x < 0 {
        panic!("negative: {x}");
    }
    x
}

fn untracked(x: i32) -> i32 {
    check(x)
}

struct Bounded(Vec<i32>);
impl std::ops::Index<usize> for Bounded {
    type Output = i32;
    #[track_caller]
    fn index(&self, i: usize) -> &i32 {
        match self.0.get(i) {
            Some(x) => x,
            None => panic!("bounded index {i}"),
        }
    }
}

fn main() {
    let l = whereami();
    println!("{} {} {}", l.file(), l.line(), l.column());
    println!("{}", whereami());
    let f: fn() -> &'static Location<'static> = whereami;
    println!("{}", f().line() > 0);
    println!("{} {}", line!(), column!());
    println!("{} {}", file!(), module_path!());
    for i in 0..4 {
        let r = std::panic::catch_unwind(move || match i {
            0 => check(1),
            1 => check(-1),
            2 => untracked(-2),
            _ => Bounded(vec![1])[3],
        });
        println!("{i} {}", r.is_ok());
    }
    let b = Bounded(vec![1, 2]);
    println!("{}", b[1] + b[7]);
}
