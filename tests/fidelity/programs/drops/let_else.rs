struct D(&'static str);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}
impl D {
    fn get(&self, n: i32) -> Option<i32> {
        if n > 0 { Some(n) } else { None }
    }
}

fn f(n: i32) -> i32 {
    let _first = D("first");
    let Some(x) = D("let-else temporary").get(n) else {
        println!("else");
        return -1;
    };
    println!("x {x}");
    let _last = D("last");
    x
}

fn g(v: (Option<D>, D)) {
    let (Some(a), b) = v else {
        println!("no a");
        return;
    };
    println!("{} {}", a.0, b.0);
}

fn h(n: i32) -> Option<i32> {
    for i in 0..3 {
        let _i = D("iteration");
        let Some(y) = D("t").get(n - i) else { break };
        println!("y {y}");
    }
    let Some(r) = &Some(D("extended")) else { return None };
    println!("r {}", r.0);
    let Ok(z) = "5".parse::<i32>() else { unreachable!() };
    Some(z)
}

fn main() {
    println!("{}", f(1));
    println!("{}", f(0));
    g((Some(D("a")), D("b")));
    g((None, D("b2")));
    println!("{:?}", h(1));
}
