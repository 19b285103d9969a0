use std::sync::{Arc, Mutex, PoisonError, RwLock, TryLockError};
use std::thread;

fn main() {
    let m = Arc::new(Mutex::new(vec![1]));
    let r = {
        let m = m.clone();
        thread::spawn(move || {
            let mut g = m.lock().unwrap();
            g.push(2);
            panic!("while locked");
        })
        .join()
    };
    println!("{:?}", r.unwrap_err().downcast_ref::<&str>());
    println!("{} {:?}", m.is_poisoned(), m);
    match m.lock() {
        Ok(_) => println!("fine"),
        Err(e) => {
            println!("{e}");
            println!("{:?}", e.into_inner());
        }
    }
    match m.try_lock() {
        Err(TryLockError::Poisoned(p)) => println!("poisoned with {:?}", p.get_ref().len()),
        Err(TryLockError::WouldBlock) => println!("would block"),
        Ok(_) => println!("ok"),
    };
    m.lock().unwrap_or_else(PoisonError::into_inner).push(3);
    m.clear_poison();
    println!("{:?}", m.lock().map(|g| g.clone()).ok());
    let rw = RwLock::new(0);
    thread::scope(|s| {
        let h = s.spawn(|| {
            let _r = rw.read().unwrap();
            panic!("readers do not poison");
        });
        println!("{}", h.join().is_err());
        println!("{}", rw.is_poisoned());
        let h = s.spawn(|| {
            *rw.write().unwrap() = 7;
            let _w = rw.write().unwrap();
            panic!("writers do");
        });
        println!("{}", h.join().is_err());
    });
    println!("{} {}", rw.is_poisoned(), rw.read().unwrap_or_else(|e| e.into_inner()));
    let r = std::panic::catch_unwind(|| {
        let m = Mutex::new(1);
        let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let _g = m.lock();
            panic!("one");
        }));
        *m.lock().unwrap()
    });
    println!("{}", r.is_err());
}
