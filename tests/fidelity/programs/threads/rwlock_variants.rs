use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, RwLock, TryLockError};
use std::thread;

fn main() {
    let lock = RwLock::new(String::from("a"));
    {
        let (one, two) = (lock.read().unwrap(), lock.read().unwrap());
        println!("{one} {two} {:?} {}", lock.try_read().map(|guard| guard.len()).ok(), matches!(lock.try_write(), Err(TryLockError::WouldBlock)));
        println!("{lock:?}");
    }
    {
        let mut guard = lock.write().unwrap();
        guard.push('b');
        println!("{} {}", lock.try_read().is_err(), lock.try_write().is_err());
        println!("{lock:?}");
    }
    println!("{:?} {}", lock, lock.try_write().is_ok());

    // Readers are in together.
    let lock = Arc::new(lock);
    let together = Arc::new(Barrier::new(3));
    let readers: Vec<_> = (0..3)
        .map(|_| {
            let (lock, together) = (lock.clone(), together.clone());
            thread::spawn(move || {
                let guard = lock.read().unwrap();
                together.wait();
                guard.len()
            })
        })
        .collect();
    println!("{:?}", readers.into_iter().map(|reader| reader.join().unwrap()).collect::<Vec<_>>());

    // A cache that is looked up by many and filled by one.
    let cache: RwLock<BTreeMap<u32, u64>> = RwLock::default();
    let computed = AtomicUsize::new(0);
    let get = |key: u32| {
        if let Some(&known) = cache.read().unwrap().get(&key) {
            return known;
        }
        let mut cache = cache.write().unwrap();
        *cache.entry(key).or_insert_with(|| {
            computed.fetch_add(1, Ordering::Relaxed);
            u64::from(key).pow(2)
        })
    };
    let total: u64 = thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| (0..6).map(|key| get(key % 3)).sum::<u64>())).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    println!("{total} {} {:?}", computed.load(Ordering::Relaxed), cache.read().unwrap());

    let mut own = RwLock::new([1, 2, 3]);
    own.get_mut().unwrap()[0] = 9;
    println!("{:?}", own.into_inner());
}
