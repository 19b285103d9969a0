// Drop order of temporaries, patterns, updates, loops and captures.
use std::cell::RefCell;
thread_local!(static LOG: RefCell<Vec<String>> = RefCell::new(vec![]));
struct D(&'static str);
impl Drop for D {
    fn drop(&mut self) {
        LOG.with(|l| l.borrow_mut().push(format!("-{}", self.0)))
    }
}
impl D {
    fn get(&self) -> u8 {
        self.0.len() as u8
    }
    fn me(self) -> Self {
        self
    }
    fn r(&self) -> &D {
        self
    }
    fn opt(&self, b: bool) -> Option<&D> {
        if b { Some(self) } else { None }
    }
}
fn log(s: impl Into<String>) {
    LOG.with(|l| l.borrow_mut().push(s.into()))
}
fn flush(n: &str) {
    println!("{n}: {}", LOG.with(|l| l.take().join(" ")))
}
fn d(s: &'static str) -> D {
    log(format!("+{s}"));
    D(s)
}
fn le(b: bool) -> u8 {
    let dd = d("d");
    let Some(x) = ({
        d("le");
        dd.opt(b)
    }) else {
        log("else");
        return 0;
    };
    log("body");
    let _ = x;
    1
}
fn chain(a: bool, b: bool) {
    if let Some(x) = d("c1").opt(a)
        && let Some(y) = d("c2").r().opt(b)
        && x.get() == y.get()
    {
        log("then");
    } else if d("c3").get() == 2
        && let Some(_) = d("c4").opt(a)
    {
        log("elif");
    } else {
        log("else");
    }
    log("end");
}
fn tail() -> u8 {
    let _a = d("a");
    d("tmp").get()
}
fn tail2() -> u8 {
    let _a = d("a");
    match d("m").opt(true) {
        Some(x) => x.get(),
        None => 0,
    }
}
fn tail3() -> usize {
    let c = RefCell::new(vec![1, 2]);
    c.borrow().len()
}
struct S {
    a: D,
    b: D,
    c: (D, D),
}
fn upd() {
    let base = S { a: d("a1"), b: d("b1"), c: (d("c1"), d("c2")) };
    let n = S { b: d("b2"), ..base };
    log("mid");
    drop(n);
    log("after");
}
fn part() {
    let s = S { a: d("a"), b: d("b"), c: (d("c"), d("e")) };
    let S { a, c: (_, e), .. } = s;
    log("m");
    drop(e);
    let _b = s.b;
    drop(a);
    log("end");
}
fn lab() {
    let v = 'x: {
        let _g = d("g");
        let q = d("q");
        if q.get() == 1 {
            break 'x d("r");
        }
        d("s")
    };
    log("got");
    drop(v);
}
fn lp() {
    let mut i = 0;
    let r = loop {
        let _x = d("x");
        i += 1;
        if i == 2 {
            continue;
        }
        if i == 3 {
            break d("brk");
        }
    };
    log("o");
    drop(r);
}
fn wh() {
    let mut v = vec![d("1"), d("2")];
    while let Some(x) = v.pop().map(D::me) {
        log(x.0);
        if x.0 == "2" {
            continue;
        }
    }
    log("end")
}
fn args(_: D, _x: D, (_, _y): (D, D)) {
    log("in")
}
fn clos() {
    let a = d("a");
    let b = d("b");
    let t = (d("t0"), d("t1"));
    let c = move || {
        let _ = &a;
        let _ = b.get();
        t.1.get()
    };
    log("made");
    c();
    drop(c);
    log("end");
    let _k = t.0;
}
fn arr() {
    let a = [d("0"), d("1"), d("2")];
    let [x, .., z] = a;
    log("m");
    drop(z);
    drop(x);
    log("e");
}
fn guard() {
    match d("g") {
        x if {
            log("try");
            x.get() == 2
        } =>
        {
            log("no")
        }
        D("zz") => log("lit"),
        ref y if y.get() == 1 => {
            log("yes");
        }
        _ => log("other"),
    }
    log("end");
}
fn idx() {
    let v = vec![d("v0"), d("v1")];
    let _ = &v[{
        let _t = d("i");
        1
    }];
    let _x = {
        let r = &v[0];
        log("blk");
        r.get()
    };
}
fn ext() {
    let x = &d("ext");
    let y = (&d("y0"), d("y1").get());
    let z = &Some(d("z")).unwrap();
    let [ref w, _] = [d("w0"), d("w1")];
    log("body");
    let _ = (x.get(), y.0.get(), z.get(), w.get());
}
fn asg() {
    let mut x = d("o");
    x = {
        log("rhs");
        d("n")
    };
    log("s");
    (x, _) = (d("p"), d("q"));
    log(x.0);
    let y;
    y = d("late");
    log("z");
    let _ = y;
}
fn bx() {
    let b = Box::new((d("b0"), d("b1")));
    let (p, _) = *b;
    log("m");
    drop(p);
    log("e");
}
fn ifs() {
    let r = if d("c").get() == 1 { d("t") } else { d("f") };
    log("x");
    let _ = r;
    let s = match d("mm").get() {
        2 => d("two"),
        _ => d("oth"),
    };
    log("y");
    drop(s);
}
fn andor(a: bool) {
    if d("1").opt(a).is_some() && d("2").opt(true).is_some() || d("3").get() == 1 {
        log("T")
    }
    let _b = d("4").get() == 9 || d("5").get() == 1;
    log("e");
}
fn q() -> Option<D> {
    let _a = d("a");
    let x = d("b").opt(false).map(|_| d("c"))?;
    Some(x)
}
fn nest() {
    let _o = d("o");
    {
        let _i = d("i");
        let _ = d("ign");
        _ = d("ign2");
        let _k = d("k");
    }
    log("x");
    let v = [d("e1"), d("e2")].map(|x| {
        log(format!("map{}", x.0));
        d("n")
    });
    drop(v);
}
fn main() {
    println!("{}", le(true));
    flush("le");
    println!("{}", le(false));
    flush("le");
    for (a, b) in [(true, true), (true, false), (false, true)] {
        chain(a, b);
        flush("chain");
    }
    tail();
    flush("tail");
    tail2();
    flush("tail2");
    println!("{}", tail3());
    for (n, f) in [
        ("upd", upd as fn()),
        ("part", part),
        ("lab", lab),
        ("lp", lp),
        ("wh", wh),
        ("clos", clos),
        ("arr", arr),
        ("guard", guard),
        ("idx", idx),
        ("ext", ext),
        ("asg", asg),
        ("bx", bx),
        ("ifs", ifs),
        ("nest", nest),
    ] {
        f();
        flush(n);
    }
    args(d("1"), d("2"), (d("3"), d("4")));
    flush("args");
    andor(true);
    flush("andor");
    andor(false);
    flush("andor");
    q();
    flush("q");
}
