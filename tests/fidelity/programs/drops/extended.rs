struct D(&'static str);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}
struct W<'a>(&'a D);
struct N<'a> {
    r: &'a D,
    o: Option<&'a D>,
}

fn pick<'a>(a: &'a D) -> &'a str {
    a.0
}

fn main() {
    let a = &D("borrow");
    let b = W(&D("tuple struct"));
    let c = N { r: &D("field"), o: Some(&D("some")) };
    let d = (&D("t0"), [&D("e0"), &D("e1")]);
    let e = {
        let _l = D("block local");
        &D("block tail")
    };
    let f = if a.0.len() > 1 { &D("then") } else { &D("else") };
    let g = match 1 {
        1 => &D("arm"),
        _ => &D("other arm"),
    };
    let ref h = D("ref pattern");
    let &ref i = &D("double");
    let j = &D("deref") as &D;
    let k = &(D("tup field 0"), D("tup field 1")).1;
    let l = &[D("idx0"), D("idx1")][1];
    let (ref m, n) = (D("m"), D("n"));
    let o = unsafe { &D("unsafe block") };
    let p = &*Box::new(D("boxed"));
    let len = pick(&D("call argument")).len();
    println!("len {len}");
    let s = Some(&D("q")).map(|x| x.0.len());
    println!("s {s:?}");
    println!(
        "{} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {}",
        a.0, b.0.0, c.r.0, c.o.unwrap().0, d.0.0, d.1[0].0, e.0, f.0, g.0, h.0, i.0, j.0, k.0, l.0, m.0, n.0, o.0, p.0
    );
}
