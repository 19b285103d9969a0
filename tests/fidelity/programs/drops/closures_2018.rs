//@ edition: 2018
struct D(&'static str);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}

struct S {
    a: D,
    b: D,
}

fn main() {
    // Edition 2018 captures the whole variable.
    let s = S { a: D("s.a"), b: D("s.b") };
    {
        let c = move || {
            println!("uses {}", s.a.0);
        };
        c();
        println!("closure end");
    }
    println!("after closure");
    let t = (D("t0"), D("t1"));
    let c = || {
        let _x = t.0;
        println!("took t.0");
    };
    c();
    println!("after c");
    let u = (D("u0"), 5);
    let g = move || u.1 + 1;
    println!("g {}", g());
    drop(g);
    println!("end");
}
