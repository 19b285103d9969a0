//! A clone that panics in a tuple, a closure or an array: what was cloned before it is dropped, the last of it first.

use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};
use std::rc::Rc;

struct Part(&'static str, Rc<()>);

impl Clone for Part {
    fn clone(&self) -> Self {
        if self.0 == "bomb" {
            panic!("boom");
        }
        println!("clone {}", self.0);
        Part(self.0, self.1.clone())
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}

#[derive(Clone)]
struct Fields {
    _a: Part,
    _b: (Part, u8),
    _c: Part,
}

fn tried<T: Clone>(name: &str, value: &T, count: &Rc<()>) {
    println!("-- {name}");
    let before = Rc::strong_count(count);
    let ended = catch_unwind(AssertUnwindSafe(|| drop(value.clone())));
    println!("{} {}", ended.is_ok(), Rc::strong_count(count) - before);
}

fn main() {
    set_hook(Box::new(|_| ()));
    let count = Rc::new(());
    let part = |name| Part(name, count.clone());
    tried("all well", &(part("a"), 1, part("b")), &count);
    tried("the first", &(part("bomb"), part("b")), &count);
    tried("the second", &(part("a"), part("bomb")), &count);
    tried("the last", &(part("a"), 7, part("b"), "text", part("bomb")), &count);
    tried("within", &(part("a"), (part("b"), part("bomb"), part("c")), part("d")), &count);
    tried("array", &[(part("a"), part("b")), (part("c"), part("bomb"))], &count);
    tried("struct", &Fields { _a: part("a"), _b: (part("b"), 1), _c: part("bomb") }, &count);
    tried("vec", &vec![(part("a"), part("b")), (part("c"), part("bomb"))], &count);
    let (first, second, third) = (part("a"), part("b"), part("bomb"));
    tried("closure", &move || (&first, &second, &third).0.0, &count);
    println!("--");
}
