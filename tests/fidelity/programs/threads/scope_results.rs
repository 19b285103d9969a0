// Scoped threads: results, borrowed state, panics that surface at the end of the scope or at a join.
use std::panic::{self, AssertUnwindSafe};
use std::sync::Mutex;
use std::thread;

struct Loud(&'static str);
impl Drop for Loud {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}

fn main() {
    let mut numbers = vec![1, 2, 3, 4, 5, 6];
    let total: i32 = thread::scope(|scope| {
        let handles: Vec<_> =
            numbers.chunks_mut(2).map(|part| scope.spawn(move || { part[0] *= 10; part.iter().sum::<i32>() })).collect();
        handles.into_iter().map(|handle| handle.join().unwrap()).sum()
    });
    println!("{total} {numbers:?}");

    let joined = thread::scope(|scope| {
        let handle = scope.spawn(|| {
            let _loud = Loud("in the thread");
            if numbers.len() > 3 { panic!("too many: {}", numbers.len()) }
            1
        });
        handle.join().map_err(|payload| *payload.downcast::<String>().unwrap())
    });
    println!("{joined:?}");

    let outcome = panic::catch_unwind(AssertUnwindSafe(|| {
        thread::scope(|scope| {
            scope.spawn(|| panic!("nobody joins"));
            let _loud = Loud("of the scope");
        })
    }));
    println!("{:?}", outcome.map_err(|payload| payload.downcast_ref::<&str>().map(|text| text.to_string())));

    let lock = Mutex::new(Vec::new());
    thread::scope(|scope| {
        let inner = scope.spawn(|| {
            scope.spawn(|| lock.lock().unwrap().push("nested"));
            "outer"
        });
        println!("{}", inner.join().unwrap());
    });
    println!("{:?}", lock.into_inner().unwrap());

    let built = thread::scope(|scope| {
        thread::Builder::new().name("built".into()).spawn_scoped(scope, || thread::current().name().map(str::to_owned)).unwrap().join().unwrap()
    });
    println!("{built:?} {:?}", thread::current().name());
}
