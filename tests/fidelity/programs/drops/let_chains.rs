struct D(&'static str);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}
impl D {
    fn get(&self, v: Option<i32>) -> Option<i32> {
        println!("get {}", self.0);
        v
    }
    fn truth(&self, b: bool) -> bool {
        println!("truth {}", self.0);
        b
    }
}

fn chain(a: Option<i32>, b: bool, c: Option<i32>) -> i32 {
    if let Some(x) = D("a").get(a)
        && D("b").truth(b)
        && let Some(y) = D("c").get(c)
        && let _bound = D("bound")
    {
        println!("body {x} {y}");
        x + y
    } else {
        println!("else");
        -1
    }
}

fn main() {
    println!("{}", chain(Some(1), true, Some(2)));
    println!("-- c fails");
    println!("{}", chain(Some(1), true, None));
    println!("-- b fails");
    println!("{}", chain(Some(1), false, Some(2)));
    println!("-- a fails");
    println!("{}", chain(None, true, Some(2)));
    println!("-- while chain");
    let mut n = 0;
    while let Some(x) = D("w").get(Some(n))
        && D("cond").truth(x < 2)
    {
        println!("loop {x}");
        n += 1;
    }
    println!("-- guard");
    match Some(5) {
        Some(x) if D("g1").truth(x > 9) => println!("no"),
        Some(x) if D("g2").truth(x > 1) => println!("yes"),
        _ => println!("none"),
    }
}
