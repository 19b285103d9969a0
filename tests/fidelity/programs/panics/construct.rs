use std::panic::catch_unwind;

struct D(i32);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}

fn mk(n: i32) -> D {
    if n == 3 {
        panic!("no {n}");
    }
    println!("mk {n}");
    D(n)
}

struct S {
    a: D,
    b: D,
    c: D,
}

fn take(_: D, _: D, _: D) {}

fn main() {
    let r = catch_unwind(|| [mk(1), mk(2), mk(3), mk(4)].len());
    println!("array {}", r.is_err());
    let r = catch_unwind(|| vec![mk(1), mk(2), mk(3)].len());
    println!("vec {}", r.is_err());
    let r = catch_unwind(|| {
        let s = S { c: mk(5), a: mk(1), b: mk(3) };
        s.a.0 + s.b.0 + s.c.0
    });
    println!("struct {}", r.is_err());
    let r = catch_unwind(|| take(mk(1), mk(2), mk(3)));
    println!("call {}", r.is_err());
    let r = catch_unwind(|| {
        let t = (mk(1), (mk(2), mk(3)));
        t.0.0
    });
    println!("tuple {}", r.is_err());
    let r = catch_unwind(|| (0..6).map(mk).collect::<Vec<_>>().len());
    println!("collect {}", r.is_err());
    let r = catch_unwind(|| std::array::from_fn::<D, 5, _>(|i| mk(i as i32)).len());
    println!("from_fn {}", r.is_err());
    let r = catch_unwind(|| Box::new((mk(1), mk(3))).0.0);
    println!("box {}", r.is_err());
    let r = catch_unwind(|| {
        let mut v = vec![];
        for i in 0..5 {
            v.push(mk(i));
        }
        v.len()
    });
    println!("push {}", r.is_err());
}
