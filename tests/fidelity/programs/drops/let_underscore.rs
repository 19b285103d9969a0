struct D(&'static str);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}

fn make(n: &'static str) -> D {
    println!("make {n}");
    D(n)
}

fn main() {
    let _ = make("wildcard temporary");
    println!("1");
    let _x = make("underscore name");
    println!("2");
    let v = make("place");
    let _ = v;
    println!("3 {}", v.0);
    let _ = &make("ref in wildcard");
    println!("4");
    let (_, _k) = (make("t0"), make("t1"));
    println!("5");
    let pair = (make("p0"), make("p1"));
    let (_, q) = pair;
    println!("6 {}", q.0);
    _ = make("assigned to underscore");
    println!("7");
    (_, _) = (make("d0"), make("d1"));
    println!("8");
    make("expression statement");
    println!("9");
}
