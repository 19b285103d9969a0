use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

#[derive(Default)]
struct Cache {
    entries: Mutex<HashMap<u32, String>>,
    hits: Mutex<u32>,
}

impl Cache {
    fn get(&self, key: u32) -> Option<String> {
        let entries = self.entries.lock().unwrap();
        let found = entries.get(&key).cloned();
        *self.hits.lock().unwrap() += u32::from(found.is_some()); //~ deadlock
        found
    }

    fn clear(&self) -> u32 {
        let mut hits = self.hits.lock().unwrap();
        self.entries.lock().unwrap().clear(); //~ deadlock
        std::mem::take(&mut *hits)
    }
}

// Reading locks the entries first, clearing the hits, and both happen ten milliseconds after the start.
fn main() {
    let cache = Arc::new(Cache::default());
    cache.entries.lock().unwrap().insert(7, "seven".to_owned());
    let reader = thread::spawn({
        let cache = cache.clone();
        move || {
            thread::sleep(Duration::from_millis(10));
            cache.get(7).is_some()
        }
    });
    let cleaner = thread::spawn({
        let cache = cache.clone();
        move || {
            thread::sleep(Duration::from_millis(10));
            cache.clear()
        }
    });
    println!("{} {}", reader.join().unwrap(), cleaner.join().unwrap() < 2);
}
