// Panics with half-built values, in closures that own, and what `take`, `replace` and `forget` leave.

use std::{
    mem,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind, set_hook},
};

struct Loud(&'static str);

impl Drop for Loud {
    fn drop(&mut self) {
        println!("  drop {}{}", self.0, if std::thread::panicking() { " while panicking" } else { "" });
    }
}

struct Pair(Loud, #[allow(dead_code)] Loud);

fn fails(when: bool) -> Loud {
    if when {
        panic!("failed");
    }
    Loud("made")
}

fn attempt(name: &str, f: impl FnOnce()) {
    println!("{name}");
    let result = catch_unwind(AssertUnwindSafe(f));
    if let Err(payload) = result {
        let text = payload.downcast_ref::<&str>().copied().or(payload.downcast_ref::<String>().map(String::as_str));
        println!("  caught {text:?}");
    }
}

fn main() {
    set_hook(Box::new(|info| println!("  hook at line {}", info.location().map_or(0, |it| it.line()))));
    attempt("struct", || _ = Pair(Loud("first"), fails(true)));
    attempt("array", || _ = [Loud("a"), Loud("b"), fails(true), Loud("c")]);
    attempt("tuple with a move", || {
        let pair = Pair(Loud("left"), Loud("right"));
        let moved = pair.0;
        _ = (moved, fails(true));
    });
    attempt("vec", || _ = (0..4).map(|n| fails(n == 2)).collect::<Vec<_>>());
    attempt("owning closure", || {
        let owned = Loud("owned");
        let f = move || {
            let _kept = &owned;
            fails(true);
        };
        f();
    });
    attempt("take and replace", || {
        let mut slot = Some(Loud("old"));
        let old = mem::replace(&mut slot, Some(Loud("new")));
        mem::forget(old);
        let taken = slot.take();
        println!("  {}", slot.is_none());
        fails(taken.is_some());
    });
    attempt("resume", || {
        let payload = catch_unwind(|| fails(true)).err().unwrap();
        let _between = Loud("between");
        resume_unwind(payload);
    });
    attempt("formatted", || panic!("{}-{:?}", 1, Some("x")));
    println!("end");
}
