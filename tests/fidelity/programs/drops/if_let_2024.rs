struct D(&'static str);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}
impl D {
    fn some(&self) -> Option<i32> {
        Some(1)
    }
    fn none(&self) -> Option<i32> {
        None
    }
}

fn main() {
    // Since 2024 the scrutinee's temporaries go before else.
    if let Some(x) = D("a").some() {
        println!("then {x}");
    } else {
        println!("else");
    }
    if let Some(x) = D("b").none() {
        println!("then {x}");
    } else {
        println!("else");
    }
    if let Some(x) = D("c").none() {
        println!("then {x}");
    } else if let Some(y) = D("d").none() {
        println!("then {y}");
    } else if D("e").some().is_some() {
        println!("last");
    }
    let v = if let Some(x) = D("f").some() { x + D("g").some().unwrap() } else { 0 };
    println!("v {v}");
    if let Some(_) = Some(D("not bound")) {
        println!("then");
    }
    if let Some(d) = Some(D("bound")) {
        println!("then {}", d.0);
    }
    let o = Some(D("place"));
    if let Some(_) = o {
        println!("then");
    }
    if let None = o {
    } else {
        println!("else");
    }
    println!("end");
}
