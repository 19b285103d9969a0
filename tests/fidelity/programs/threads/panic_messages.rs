// What panics in threads print, by the threads' names; payloads at the join; poisoned locks as they are printed.
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::thread;

fn main() {
    let unnamed = thread::spawn(|| panic!("in a thread without a name"));
    println!("{}", unnamed.join().is_err());
    let named = thread::Builder::new().name("worker-7".into()).spawn(|| {
        let empty: Vec<i32> = Vec::new();
        empty[3]
    });
    let payload = named.unwrap().join().unwrap_err();
    println!("{:?} {:?}", payload.downcast_ref::<String>(), payload.downcast_ref::<&str>());
    let any = thread::spawn(|| std::panic::panic_any(42u8)).join().unwrap_err();
    println!("{:?}", any.downcast_ref::<u8>());
    let quiet = thread::spawn(|| std::panic::resume_unwind(Box::new("quiet"))).join().unwrap_err();
    println!("{:?}", quiet.downcast_ref::<&str>());

    let lock = Arc::new(Mutex::new(vec![1]));
    let theirs = Arc::clone(&lock);
    let result = thread::spawn(move || {
        let mut guard = theirs.lock().unwrap();
        guard.push(2);
        let nothing: Option<i32> = None;
        guard.push(nothing.expect("nothing here"));
    })
    .join();
    println!("{} {}", result.is_err(), lock.is_poisoned());
    println!("{lock:?}");
    match lock.lock() {
        Ok(_) => println!("fine"),
        Err(error) => {
            println!("{error} | {error:?}");
            println!("{:?}", error.into_inner());
        }
    }
    println!("{:?}", lock.try_lock().map_err(|error| error.to_string()));
    lock.clear_poison();
    println!("{:?} {}", lock.lock().map(|guard| guard.len()).ok(), lock.is_poisoned());

    let shared = Arc::new(RwLock::new(5));
    let theirs = shared.clone();
    let _ = thread::spawn(move || {
        let _guard = theirs.write().unwrap();
        panic!("while writing");
    })
    .join();
    println!("{:?} {}", shared, shared.is_poisoned());
    println!("{}", *shared.read().unwrap_or_else(PoisonError::into_inner));
    let theirs = shared.clone();
    shared.clear_poison();
    let _ = thread::spawn(move || {
        let _guard = theirs.read().unwrap();
        panic!("while reading");
    })
    .join();
    println!("{}", shared.is_poisoned());
    let failing = thread::spawn(move || -> Result<(), String> { Err("returned".into()) });
    failing.join().unwrap().unwrap();
}
