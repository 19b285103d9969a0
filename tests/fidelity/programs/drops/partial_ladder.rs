// One field's drop panics: what is left of a partially moved value is dropped all the same.
use std::panic::{AssertUnwindSafe, catch_unwind};

struct D(&'static str, bool);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {}", self.0);
        if self.1 {
            panic!("in {}", self.0);
        }
    }
}

struct Three {
    a: D,
    b: D,
    c: D,
}

fn main() {
    std::panic::set_hook(Box::new(|_| println!("panics")));
    let result = catch_unwind(AssertUnwindSafe(|| {
        let t = Three { a: D("a", false), b: D("b", true), c: D("c", false) };
        let _outer = D("outer", false);
        drop(t.a);
        println!("moved");
    }));
    println!("{}", result.is_err());
    let result = catch_unwind(AssertUnwindSafe(|| {
        let t = (D("x", true), D("y", false), D("z", false));
        let moved = t.1;
        println!("has {}", moved.0);
    }));
    println!("{}", result.is_err());
}
