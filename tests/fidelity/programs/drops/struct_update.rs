struct D(&'static str);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}

struct S {
    a: D,
    b: D,
    c: D,
    n: i32,
}

fn base() -> S {
    S { a: D("base a"), b: D("base b"), c: D("base c"), n: 1 }
}

fn main() {
    let x = S { a: D("new a"), ..base() };
    println!("{} {} {}", x.a.0, x.b.0, x.c.0);
    let y = base();
    let z = S { b: D("z b"), n: 2, ..y };
    println!("z {} {}", z.a.0, z.n + x.n);
    let w = S { n: 5, ..z };
    println!("w {}", w.b.0);
    let v = S { a: D("v a"), b: D("v b"), c: D("v c"), ..base() };
    println!("end {}", v.n);
}
