struct D(&'static str);
impl D {
    fn hi(&self) {
        println!("hi {}", self.0);
    }
    fn rename(&mut self, n: &'static str) {
        self.0 = n;
    }
}
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}

struct Pair {
    a: D,
    b: D,
}

fn call(f: impl FnOnce()) {
    f();
    println!("called");
}

fn make(n: &'static str) -> impl Fn() {
    let d = D(n);
    move || d.hi()
}

fn main() {
    let p = Pair { a: D("p.a"), b: D("p.b") };
    call(move || p.a.hi());
    println!("p.b remains {}", p.b.0);
    let q = Pair { a: D("q.a"), b: D("q.b") };
    let f = move || {
        let whole = &q;
        whole.b.hi();
    };
    f();
    drop(f);
    println!("--");
    let m = make("made");
    m();
    m();
    drop(m);
    let mut r = Pair { a: D("r.a"), b: D("r.b") };
    {
        let mut g = || r.a.rename("r.a renamed");
        let h = || r.b.hi();
        g();
        h();
    }
    let t = (D("t0"), (D("t1.0"), D("t1.1")));
    {
        let _never_called = move || t.1.0.hi();
        println!("closure made");
    }
    println!("t.1.1 remains {}", t.1.1.0);
    let b = Box::new(D("boxed"));
    let c = move || b.hi();
    c();
    drop(c);
    let ref_to = D("referenced");
    let rr = &ref_to;
    let c = move || rr.hi();
    c();
    let u = D("unused in closure");
    let c = move || {
        let _ = u;
    };
    c();
    println!("end");
}
