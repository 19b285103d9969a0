struct D(&'static str);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop({})", self.0);
    }
}

// Drops `x` before `y`, in both cases.
fn or_order((Ok([x, y]) | Err([y, x])): Result<[D; 2], [D; 2]>) {
    println!("x {} y {}", x.0, y.0);
}

enum E {
    A(D, D),
    B { l: D, r: D },
}

fn by_match(e: E) {
    match e {
        E::A(p, q) | E::B { r: p, l: q } => println!("p {} q {}", p.0, q.0),
    }
    println!("matched");
}

fn bindings(v: (D, D, D)) {
    let (a, b, c) = v;
    println!("{} {} {}", a.0, b.0, c.0);
}

fn main() {
    or_order(Ok([D("ok0"), D("ok1")]));
    or_order(Err([D("err0"), D("err1")]));
    by_match(E::A(D("a0"), D("a1")));
    by_match(E::B { l: D("l"), r: D("r") });
    bindings((D("1"), D("2"), D("3")));
}
