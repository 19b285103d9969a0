struct D(&'static str);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}
impl D {
    fn items(&self) -> std::ops::Range<i32> {
        0..2
    }
    fn list(&self) -> &[i32] {
        &[7, 8]
    }
}

fn first() -> i32 {
    let _l = D("l");
    for i in D("for temporary").items() {
        let _b = D("body");
        if i == 1 {
            return i + D("return temp").list()[0];
        }
    }
    0
}

fn tail_for() {
    let _l = D("tail local");
    for x in D("tail for temporary").list() {
        println!("x {x}");
    }
}

fn tail_match(n: i32) {
    let _l = D("match local");
    match D("tail scrutinee").list().len() as i32 - n {
        0 => println!("zero"),
        _ => println!("other"),
    }
}

fn tail_if_let(n: i32) {
    let _l = D("if let local");
    if let Some(x) = D("tail if let").list().get(n as usize) {
        println!("some {x}");
    } else {
        println!("none");
    }
}

fn main() {
    println!("{}", first());
    tail_for();
    tail_match(2);
    tail_if_let(0);
    tail_if_let(9);
    let s: i32 = D("sum").list().iter().map(|x| x * 2).sum();
    println!("s {s}");
    for _ in 0..1 {
        D("statement in loop").items();
    }
    let mut it = D("iterator").items();
    while let Some(i) = it.next() {
        println!("i {i}");
    }
}
