use std::pin::{Pin, pin};

struct D(&'static str);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}

struct Log<'a>(&'a str, &'a D);
impl Drop for Log<'_> {
    fn drop(&mut self) {
        println!("log {} sees {}", self.0, self.1.0);
    }
}

fn name(p: Pin<&mut D>) -> &'static str {
    p.0
}

fn id<T>(t: T) -> T {
    t
}

struct Holder<'a> {
    p: Pin<&'a mut D>,
}

fn main() {
    let a = pin!(D("a"));
    println!("{}", name(a));
    println!("{}", name(pin!(D("argument"))));
    let h = Holder { p: pin!(D("in struct")) };
    let t = (pin!(D("in tuple")), 1);
    let some = Some(pin!(D("in some")));
    let b = if h.p.0.len() > 3 { pin!(D("then")) } else { pin!(D("else")) };
    let m = match t.1 {
        1 => pin!(D("arm")),
        _ => pin!(D("other arm")),
    };
    {
        let inner = pin!(D("inner block"));
        println!("{}", inner.0);
    }
    let n = id(pin!(D("id argument"))).0.len();
    println!("{n} {} {} {}", some.is_some(), b.0, m.0);
    let l = Log("extended", &D("logged"));
    println!("{}", l.0);
    let mut r = pin!(D("reassigned"));
    r.set(D("set"));
    println!("{}", r.0);
    println!("end {}", t.0.0);
}
