//@ edition: 2015
struct D(&'static str);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}

trait T {
    fn take(&self, d: D) -> i32;
}
struct S;
impl T for S {
    fn take(&self, d: D) -> i32 {
        let async = d.0.len() as i32;
        async + self::helper::one()
    }
}

mod helper {
    pub fn one() -> i32 {
        ::two() - 1
    }
}

fn two() -> i32 {
    let _l = D("l");
    D("tail").0.len() as i32 - 2
}

fn boxed() -> Box<T> {
    Box::new(S)
}

fn main() {
    println!("{}", boxed().take(D("param")));
    let t: &T = &S;
    println!("{}", t.take(D("p2")));
    let s = (D("a"), D("b"));
    let c = move || {
        let r = &s.0;
        r.0
    };
    println!("{}", c());
    match 3 {
        0...2 => println!("low"),
        _ => println!("high"),
    }
    let v = { let _i = D("i"); D("block tail").0.len() };
    println!("{}", v);
}
