struct D(&'static str);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}

fn plain(_a: D, _b: D) {
    let _l = D("local");
    println!("body");
}

fn wild(_: D, _b: D, _: D) {
    let _l = D("local");
    println!("body");
}

// Drops `y`, then the second parameter, then `x`, then the first parameter
fn patterns((x, _): (D, D), (_, y): (D, D)) {
    println!("body {} {}", x.0, y.0);
}

fn moves_out(a: D, b: D) -> D {
    println!("moves out {}", b.0);
    a
}

struct S {
    f: D,
    g: D,
}

fn struct_pat(S { g, .. }: S, [p, _, r]: [D; 3]) {
    println!("{} {} {}", g.0, p.0, r.0);
}

impl S {
    fn consume(self, _other: D) {
        println!("consume");
    }
}

fn main() {
    plain(D("a"), D("b"));
    println!("--");
    wild(D("w0"), D("w1"), D("w2"));
    println!("--");
    patterns((D("0"), D("1")), (D("2"), D("3")));
    println!("--");
    let r = moves_out(D("ma"), D("mb"));
    println!("-- {}", r.0);
    struct_pat(S { f: D("f"), g: D("g") }, [D("p"), D("q"), D("r")]);
    println!("--");
    S { f: D("cf"), g: D("cg") }.consume(D("other"));
    println!("--");
    let c = |_: D, x: D| println!("closure {}", x.0);
    c(D("c0"), D("c1"));
}
