struct D(&'static str);
impl Drop for D {
    fn drop(&mut self) {
        println!("  drop {}", self.0);
    }
}
impl D {
    fn t(&self) -> bool {
        println!("  {} is true", self.0);
        true
    }
    fn f(&self) -> bool {
        println!("  {} is false", self.0);
        false
    }
}

fn main() {
    println!("and/or");
    let r = D("a").t() && D("b").t() || D("c").t();
    println!("{r}");
    let r = D("d").f() || (D("e").f() || D("f").t()) && D("g").t();
    println!("{r}");
    println!("strict");
    let r = D("h").f() & D("i").t() | D("j").t();
    println!("{r}");
    println!("in call");
    println!("{}", D("k").t() && D("l").f());
    println!("condition");
    if D("m").t() && (D("n").f() || D("o").t()) {
        println!("then");
    }
    println!("match guard");
    match 1 {
        _ if D("p").f() || D("q").f() => {}
        _ if !D("r").f() && D("s").t() => println!("arm"),
        _ => {}
    }
    println!("statement");
    D("u").t() && D("v").f();
    println!("comparison");
    println!("{}", D("w").0 == D("x").0 || D("y").0 < D("z").0);
    let x = !D("not").t();
    println!("{x}");
}
