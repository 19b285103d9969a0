struct D(&'static str);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}

fn f() -> D {
    let _a = D("f.a");
    let r = D("f.r");
    let _b = D("f.b");
    r
}

fn main() {
    let _a = D("a");
    let _b = D("b");
    {
        let _c = D("c");
        let _d = D("d");
        println!("inner end");
    }
    let _e = f();
    let _a = D("a2 shadows a");
    let x = D("moved");
    drop(x);
    let y;
    y = D("late init");
    println!("main end {}", y.0);
}
