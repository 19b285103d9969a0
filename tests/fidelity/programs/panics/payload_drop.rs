use std::panic::{AssertUnwindSafe, catch_unwind, panic_any, resume_unwind};

struct Payload(&'static str);
impl Drop for Payload {
    fn drop(&mut self) {
        println!("drop payload {}", self.0);
    }
}

struct Counter<'a>(&'a mut i32);
impl Drop for Counter<'_> {
    fn drop(&mut self) {
        *self.0 += if std::thread::panicking() { 100 } else { 1 };
    }
}

fn main() {
    let r = catch_unwind(|| panic_any(Payload("one")));
    println!("caught");
    drop(r);
    let r = catch_unwind(|| resume_unwind(Box::new(Payload("two"))));
    match r {
        Ok(()) => println!("no"),
        Err(p) if p.is::<Payload>() => println!("is payload {}", p.downcast_ref::<Payload>().unwrap().0),
        Err(_) => println!("other"),
    }
    let mut n = 0;
    let _ = catch_unwind(AssertUnwindSafe(|| {
        let _c = Counter(&mut n);
    }));
    println!("{n}");
    let _ = catch_unwind(AssertUnwindSafe(|| {
        let _c = Counter(&mut n);
        panic!("counted");
    }));
    println!("{n}");
    let again = catch_unwind(|| {
        let p = catch_unwind(|| panic_any(Payload("three"))).unwrap_err();
        println!("rethrow");
        resume_unwind(p)
    });
    let p: Box<Payload> = again.map(|_: ()| ()).unwrap_err().downcast().unwrap();
    println!("end {}", p.0);
}
