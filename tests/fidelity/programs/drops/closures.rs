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
    let x = D("captured by move");
    let f = move || println!("f {}", x.0);
    f();
    f();
    drop(f);
    println!("--");
    let y = D("consumed");
    let once = || drop(y);
    once();
    println!("--");
    let z = D("never called");
    let g = move || drop(z);
    drop(g);
    println!("--");
    // Edition 2021 captures the field only.
    let s = S { a: D("s.a"), b: D("s.b") };
    {
        let c = || {
            let _a = s.a;
        };
        c();
        println!("closure gone");
    }
    println!("b still {}", s.b.0);
    let t = (D("t0"), D("t1"));
    let c = move || println!("uses {}", t.0.0);
    println!("moved only t.0");
    drop(t.1);
    c();
    drop(c);
    println!("--");
    let r = D("by ref");
    let h = || println!("h {}", r.0);
    h();
    drop(r);
    let b: Box<dyn Fn()> = {
        let k = D("in box");
        Box::new(move || println!("boxed {}", k.0))
    };
    b();
    println!("end");
}
