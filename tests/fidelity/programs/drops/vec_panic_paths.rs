use std::panic::{AssertUnwindSafe, catch_unwind};

#[derive(Debug)]
struct D(i32);
impl Drop for D {
    fn drop(&mut self) {
        print!("d{} ", self.0);
    }
}

fn v(n: i32) -> Vec<D> {
    (0..n).map(D).collect()
}

fn attempt(name: &str, f: impl FnOnce()) {
    let r = catch_unwind(AssertUnwindSafe(f));
    println!("| {name} {}", if r.is_ok() { "ok" } else { "panicked" });
}

fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    attempt("map", || {
        let r: Vec<D> = v(4).into_iter().map(|d| if d.0 == 2 { panic!() } else { D(d.0 + 10) }).collect();
        println!("{:?}", r);
    });
    let mut kept = v(5);
    attempt("retain", || kept.retain(|d| if d.0 == 3 { panic!() } else { d.0 % 2 == 1 }));
    println!("{:?}", kept);
    drop(kept);
    println!("| rest");
    let mut drained = v(5);
    attempt("drain", || {
        for d in drained.drain(1..4) {
            if d.0 == 2 {
                panic!();
            }
        }
    });
    println!("{:?}", drained);
    drop(drained);
    println!("| rest");
    attempt("for each", || {
        v(4).into_iter().for_each(|d| {
            if d.0 == 1 {
                panic!()
            }
        })
    });
    attempt("resize_with", || {
        let mut x = v(1);
        let mut n = 1;
        x.resize_with(6, || {
            n += 1;
            if n == 4 { panic!() } else { D(n * 10) }
        });
    });
    attempt("sort_by", || {
        let mut x = v(4);
        x.sort_by(|a, b| if a.0 == 3 || b.0 == 3 { panic!() } else { b.0.cmp(&a.0) });
    });
    attempt("array map", || {
        let a = [D(1), D(2), D(3)].map(|d| if d.0 == 2 { panic!() } else { D(d.0 * 100) });
        println!("{:?}", a);
    });
    attempt("insert out of bounds", || v(2).insert(5, D(99)));
    attempt("clone", || {
        struct C(i32);
        impl Clone for C {
            fn clone(&self) -> C {
                if self.0 == 2 { panic!() } else { C(self.0 + 50) }
            }
        }
        impl Drop for C {
            fn drop(&mut self) {
                print!("c{} ", self.0);
            }
        }
        let x = vec![C(0), C(1), C(2), C(3)];
        let _y = x.clone();
    });
    attempt("none", || drop(v(2)));
}
