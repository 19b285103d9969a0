//! A stack that no system gives: the thread is not started, and what it would have owned is dropped.
use std::thread::{self, Builder};
struct Owned(&'static str);
impl Drop for Owned {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}
fn main() {
    let owned = Owned("closure's");
    let refused = Builder::new().name("huge".into()).stack_size(isize::MAX as usize).spawn(move || drop(owned));
    match refused {
        Ok(_) => println!("started"),
        Err(error) => println!("{error} {:?} {:?}", error.kind(), error.raw_os_error()),
    }
    let mut n = 0;
    thread::scope(|scope| {
        let refused = Builder::new().stack_size(1 << 60).spawn_scoped(scope, || n += 1);
        println!("{}", refused.is_err());
    });
    println!("{n}");
    for size in [0, 1, 5000, 1 << 20] {
        println!("{}", Builder::new().stack_size(size).spawn(|| 5).unwrap().join().unwrap());
    }
}
