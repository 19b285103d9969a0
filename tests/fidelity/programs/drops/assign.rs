struct D(&'static str);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}

fn mk(n: &'static str) -> D {
    println!("mk {n}");
    D(n)
}

struct S {
    a: D,
    b: Option<D>,
}

fn main() {
    let mut x = mk("x1");
    x = mk("x2");
    println!("assigned");
    let mut s = S { a: mk("a1"), b: None };
    s.a = mk("a2");
    s.b = Some(mk("b1"));
    s.b = Some(mk("b2"));
    s.b = None;
    println!("whole");
    s = S { a: mk("a3"), b: Some(mk("b3")) };
    let mut arr = [mk("e0"), mk("e1")];
    arr[1] = mk("e2");
    let r = &mut arr[0];
    *r = mk("e3");
    let mut bx = Box::new(mk("box1"));
    *bx = mk("box2");
    bx = Box::new(mk("box3"));
    let (mut p, mut q) = (mk("p1"), mk("q1"));
    (p, q) = (mk("p2"), mk("q2"));
    println!("swap");
    (p, q) = (q, p);
    let mut v = vec![mk("v0")];
    v[0] = mk("v1");
    println!("end {} {} {} {}", x.0, s.a.0, p.0, q.0);
    let _ = (bx, v.len());
}
