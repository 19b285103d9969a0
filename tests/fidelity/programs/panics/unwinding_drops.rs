struct D(&'static str);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}

fn inner(n: i32) {
    let _a = D("inner.a");
    let _t = (D("inner.t0"), D("inner.t1"));
    if n == 0 {
        panic!("n is {}", n);
    }
    let _never = D("never");
}

fn outer() {
    let _x = D("outer.x");
    let v = vec![D("v0"), D("v1")];
    let moved = D("moved");
    drop(moved);
    inner(v.len() as i32 - 2);
    println!("unreachable");
}

fn main() {
    let _m = D("main");
    outer();
}
