use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Condvar, LazyLock, Mutex, Once, OnceLock, PoisonError, RwLock, TryLockError};
use std::thread;

static BROKEN: LazyLock<u32> = LazyLock::new(|| panic!("never"));
static RETRIED: OnceLock<u32> = OnceLock::new();

fn main() {
    std::panic::set_hook(Box::new(|info| {
        let text = info.payload().downcast_ref::<&str>().copied().map(str::to_owned);
        println!("(panic: {})", text.or(info.payload().downcast_ref::<String>().cloned()).unwrap_or_default());
    }));
    let mutex = Arc::new(Mutex::new(vec![1]));
    let inner = mutex.clone();
    let ended = thread::spawn(move || {
        let mut guard = inner.lock().unwrap();
        guard.push(2);
        panic!("while held");
    })
    .join();
    println!("{:?}", ended.unwrap_err().downcast_ref::<&str>());
    println!("{} {:?}", mutex.is_poisoned(), mutex.lock().map(|guard| guard.len()).map_err(|error| error.to_string()));
    match mutex.try_lock() {
        Err(TryLockError::Poisoned(error)) => println!("poisoned: {:?}", error.into_inner()),
        Err(TryLockError::WouldBlock) => println!("held"),
        Ok(guard) => println!("{guard:?}"),
    }
    println!("{mutex:?}");
    let mut guard = mutex.lock().unwrap_or_else(PoisonError::into_inner);
    guard.push(3);
    drop(guard);
    mutex.clear_poison();
    println!("{} {:?}", mutex.is_poisoned(), mutex.lock().unwrap());
    println!("{:?}", Arc::try_unwrap(mutex).unwrap().into_inner());

    // A panic that began before the guard was taken does not poison.
    struct Locks<'a>(&'a Mutex<u32>);
    impl Drop for Locks<'_> {
        fn drop(&mut self) {
            *self.0.lock().unwrap() += 1;
        }
    }
    let plain = Mutex::new(0);
    let _ = catch_unwind(AssertUnwindSafe(|| {
        let _locks = Locks(&plain);
        panic!("before");
    }));
    println!("{} {:?}", plain.is_poisoned(), plain.lock().unwrap());

    // Readers do not poison, writers do.
    let lock = RwLock::new(5);
    let _ = catch_unwind(AssertUnwindSafe(|| {
        let _guard = lock.read().unwrap();
        panic!("reader");
    }));
    println!("{}", lock.is_poisoned());
    let _ = catch_unwind(AssertUnwindSafe(|| {
        *lock.write().unwrap() = 6;
        let _guard = lock.write().unwrap();
        panic!("writer");
    }));
    println!("{} {:?} {:?}", lock.is_poisoned(), lock.read().is_err(), lock.try_write().is_err());
    lock.clear_poison();
    println!("{:?}", lock);

    // A wait hands on the poison.
    let pair = Arc::new((Mutex::new(false), Condvar::new()));
    let other = pair.clone();
    let waiter = thread::spawn(move || {
        let (mutex, changed) = &*other;
        let guard = mutex.lock().unwrap();
        match changed.wait_while(guard, |done| !*done) {
            Ok(_) => "fine",
            Err(_) => "poisoned",
        }
    });
    let setter = pair.clone();
    let _ = thread::spawn(move || {
        thread::sleep(std::time::Duration::from_millis(50));
        let mut guard = setter.0.lock().unwrap();
        *guard = true;
        setter.1.notify_all();
        panic!("setter");
    })
    .join();
    println!("{}", waiter.join().unwrap());

    let once = Once::new();
    let count = AtomicU32::new(0);
    let failed = catch_unwind(AssertUnwindSafe(|| once.call_once(|| panic!("once"))));
    println!("{} {}", failed.is_err(), once.is_completed());
    println!("{}", catch_unwind(AssertUnwindSafe(|| once.call_once(|| ()))).is_err());
    once.call_once_force(|state| {
        println!("was poisoned: {}", state.is_poisoned());
        count.fetch_add(1, Ordering::Relaxed);
    });
    once.call_once(|| println!("never again"));
    println!("{} {}", once.is_completed(), count.load(Ordering::Relaxed));

    for _ in 0..2 {
        let error = catch_unwind(|| *BROKEN).unwrap_err();
        println!("{:?}", error.downcast_ref::<&str>().is_some() || error.downcast_ref::<String>().is_some());
    }
    println!("{}", catch_unwind(|| RETRIED.get_or_init(|| panic!("first try"))).is_err());
    println!("{:?} {} {:?}", RETRIED.get(), RETRIED.get_or_init(|| 8), RETRIED.set(9));
}
