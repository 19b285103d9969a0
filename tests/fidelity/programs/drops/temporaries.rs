struct D(&'static str);
impl D {
    fn id(&self) -> &'static str {
        self.0
    }
    fn truth(&self) -> bool {
        true
    }
    fn falsity(&self) -> bool {
        false
    }
}
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}

fn two(_a: &D, _b: &D) -> i32 {
    println!("two");
    1
}

fn main() {
    let n = D("let init").id();
    println!("n = {n}");
    println!("in println {}", D("arg").id());
    two(&D("first"), &D("second"));
    println!("--");
    let s = two(&D("x"), &D("y")) + two(&D("z"), &D("w"));
    println!("s = {s}");
    if D("if cond").truth() {
        println!("then");
    }
    if D("if cond 2").falsity() {
    } else {
        println!("else");
    }
    let mut i = 0;
    while D("while cond").truth() && i < 2 {
        println!("body {i}");
        i += 1;
    }
    println!("--");
    match D("scrutinee").id() {
        x => println!("arm {x}"),
    }
    println!("--");
    let v = (D("lhs").falsity() || D("rhs").truth()) && D("third").falsity() || D("fourth").truth();
    println!("v = {v}");
    for _ in 0..D("for iter").id().len() - 7 {
        println!("loop body");
    }
    println!("end");
}
