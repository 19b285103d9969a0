struct D(&'static str);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}
impl D {
    fn yes(&self) -> bool {
        println!("test {}", self.0);
        true
    }
    fn no(&self) -> bool {
        println!("test {}", self.0);
        false
    }
}

fn opt(n: &'static str) -> Option<D> {
    Some(D(n))
}

fn main() {
    match D("moved into arm") {
        x => println!("arm {}", x.0),
    }
    match D("wild scrutinee") {
        _ => println!("arm _"),
    }
    match (D("t0"), D("t1")) {
        (a, _) => println!("arm {}", a.0),
    }
    match (D("u0"), D("u1")) {
        (ref a, ref b) => println!("arm {} {}", a.0, b.0),
    }
    match opt("guarded") {
        Some(x) if D("guard1").no() => println!("never {}", x.0),
        Some(x) if D("guard2").yes() => println!("arm {}", x.0),
        _ => println!("no"),
    }
    let r = match opt("value") {
        Some(x) => {
            let _l = D("arm local");
            x.0
        }
        None => "none",
    };
    println!("r {r}");
    let o = opt("by place");
    match o {
        Some(_) => println!("not moved"),
        None => {}
    }
    match o {
        Some(ref x) => println!("ref {}", x.0),
        None => {}
    }
    match &o {
        Some(x) => println!("default binding {}", x.0),
        None => {}
    }
    match o {
        Some(x) => println!("moved {}", x.0),
        None => {}
    }
    println!("end");
}
