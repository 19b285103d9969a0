struct D(&'static str);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}

struct S {
    a: D,
    b: D,
    c: (D, D),
}

enum E {
    V(D, D),
}

fn main() {
    let s = S { a: D("a"), b: D("b"), c: (D("c0"), D("c1")) };
    let moved = s.b;
    println!("moved {}", moved.0);
    drop(s.c.0);
    println!("after c0");

    let t = (D("t0"), D("t1"), D("t2"));
    std::mem::forget(t.1);

    let bx = Box::new((D("bx0"), D("bx1")));
    let inner = bx.1;
    println!("inner {}", inner.0);

    let whole = Box::new(D("unboxed"));
    let u = *whole;
    println!("u {}", u.0);

    let E::V(x, _) = E::V(D("e0"), D("e1"));
    println!("x {}", x.0);

    let o = Some((D("o0"), D("o1")));
    if let Some((l, _)) = o {
        println!("l {}", l.0);
    }
    println!("re-init");
    let mut r = (D("r0"), D("r1"));
    drop(r.0);
    r.0 = D("r0 again");
    let mut z = S { a: D("za"), b: D("zb"), c: (D("zc0"), D("zc1")) };
    drop(z.a);
    drop(z.c);
    z.c = (D("zc0'"), D("zc1'"));
    println!("end");
}
