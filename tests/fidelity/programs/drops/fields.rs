struct D(&'static str);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}

struct S {
    b: D,
    a: D,
    t: (D, D),
}

struct WithDrop {
    x: D,
    y: D,
}
impl Drop for WithDrop {
    fn drop(&mut self) {
        println!("WithDrop of {} {}", self.x.0, self.y.0);
    }
}

enum E {
    One(D, D),
    Two { p: D, q: D },
    Zero,
}

fn main() {
    let _s = S { a: D("a"), b: D("b"), t: (D("t0"), D("t1")) };
    let _w = WithDrop { y: D("y"), x: D("x") };
    let _e = E::One(D("one.0"), D("one.1"));
    let _f = E::Two { q: D("q"), p: D("p") };
    let _z = E::Zero;
    let _arr = [D("arr0"), D("arr1"), D("arr2")];
    let _nested = (D("n0"), [D("n1.0"), D("n1.1")], WithDrop { x: D("n2.x"), y: D("n2.y") });
    println!("end");
}
