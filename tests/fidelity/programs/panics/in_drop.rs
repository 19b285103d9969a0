use std::panic::{AssertUnwindSafe, catch_unwind};

struct D(&'static str);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {} panicking={}", self.0, std::thread::panicking());
    }
}

struct Bomb(&'static str, D);
impl Drop for Bomb {
    fn drop(&mut self) {
        println!("bomb {}", self.0);
        panic!("drop of {}", self.0);
    }
}

fn main() {
    let r = catch_unwind(|| {
        let _before = D("before");
        let _b = Bomb("local", D("bomb's field"));
        let _after = D("after");
    });
    println!("1 {}", r.is_err());
    let r = catch_unwind(|| {
        let _v = vec![Bomb("v0", D("v0 field"))];
        let _x = (D("t0"), Bomb("in tuple", D("tuple field")), D("t2"));
        std::mem::forget(_v);
    });
    println!("2 {}", r.is_err());
    let mut slot = Bomb("slot", D("slot field"));
    let r = catch_unwind(AssertUnwindSafe(|| {
        slot = Bomb("new value", D("new field"));
    }));
    println!("3 {} {}", r.is_err(), slot.0);
    std::mem::forget(slot);
    let r = catch_unwind(|| {
        let v = vec![Some(D("e0")), None, Some(D("e2"))];
        let _b = [D("arr0"), D("arr1")];
        drop(Bomb("explicit", D("explicit field")));
        v.len()
    });
    println!("4 {}", r.is_err());
}
