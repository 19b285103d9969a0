use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread::{self, Builder};
use std::time::Duration;

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

fn name() -> String {
    thread::current().name().unwrap_or("-").to_owned()
}

fn main() {
    println!("{} {}", name(), thread::current().id() == thread::current().id());
    let named = Builder::new().name("worker".into()).stack_size(64 * 1024).spawn(|| (name(), thread::current().id())).unwrap();
    let (id, handle_name) = (named.thread().id(), named.thread().name().map(str::to_owned));
    let (inside, own) = named.join().unwrap();
    println!("{inside} {:?} {}", handle_name, id == own);
    println!("{}", thread::spawn(name).join().unwrap());

    let (tx, rx) = mpsc::channel::<()>();
    let waiting = thread::spawn(move || rx.recv().is_err());
    println!("{}", waiting.is_finished());
    drop(tx);
    while !waiting.is_finished() {
        thread::yield_now();
    }
    println!("{}", waiting.join().unwrap());

    // A scope borrows, waits for what nobody joins, and hands on panics.
    let mut parts = [1u32, 2, 3, 4];
    let total = AtomicUsize::new(0);
    let (left, right) = parts.split_at_mut(2);
    let answer = thread::scope(|scope| {
        let handle = scope.spawn(|| left.iter_mut().map(|n| { *n *= 10; *n }).sum::<u32>());
        scope.spawn(|| {
            right.reverse();
            scope.spawn(|| total.fetch_add(5, Ordering::Relaxed));
        });
        Builder::new().name("scoped".into()).spawn_scoped(scope, || {
            thread::sleep(Duration::from_millis(5));
            total.fetch_add(name().len(), Ordering::Relaxed);
        }).unwrap();
        handle.join().unwrap()
    });
    println!("{answer} {parts:?} {}", total.load(Ordering::Relaxed));

    std::panic::set_hook(Box::new(|info| println!("(panic in {}: {})", name(), info.payload().downcast_ref::<&str>().unwrap_or(&"?"))));
    let caught = std::panic::catch_unwind(|| {
        thread::scope(|scope| {
            Builder::new().name("fails".into()).spawn_scoped(scope, || panic!("inside")).unwrap();
        })
    });
    println!("{:?}", caught.unwrap_err().downcast_ref::<&str>());
    let joined = thread::scope(|scope| scope.spawn(|| panic!("joined")).join().map_err(|error| *error.downcast::<&str>().unwrap()));
    println!("{joined:?}");
    let payload = thread::spawn(|| std::panic::panic_any(42u8)).join().unwrap_err();
    println!("{:?}", payload.downcast_ref::<u8>());
    let payload = thread::spawn(|| std::panic::resume_unwind(Box::new("quiet"))).join().unwrap_err();
    println!("{:?}", payload.downcast_ref::<&str>());

    DEPTH.set(1);
    let inner = thread::spawn(|| {
        DEPTH.set(DEPTH.get() + 10);
        DEPTH.get()
    });
    println!("{} {}", inner.join().unwrap(), DEPTH.get());
    println!("{}", thread::available_parallelism().is_ok());
}
