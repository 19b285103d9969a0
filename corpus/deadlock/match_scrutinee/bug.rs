use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::thread;

struct Cache {
    map: Mutex<HashMap<u32, u32>>,
}

impl Cache {
    fn get(&self, key: u32) -> u32 {
        match self.map.lock().unwrap().get(&key).copied() {
            Some(value) => value,
            None => {
                let value = key * key;
                self.map.lock().unwrap().insert(key, value); //~ deadlock
                value
            }
        }
    }
}

// The guard in the scrutinee lives until the end of the match.
fn main() {
    let cache = Arc::new(Cache { map: Mutex::default() });
    let workers: Vec<_> = (0..2)
        .map(|i| {
            let cache = cache.clone();
            thread::spawn(move || cache.get(i))
        })
        .collect();
    for worker in workers {
        println!("{}", worker.join().unwrap());
    }
}
