use std::cell::UnsafeCell;
use std::sync::{Arc, RwLock};
use std::thread;

struct Counted {
    text: String,
    uses: UnsafeCell<u64>,
}

unsafe impl Sync for Counted {}

struct Cache {
    entry: RwLock<Counted>,
}

impl Cache {
    fn get(&self) -> String {
        let entry = self.entry.write().unwrap();
        unsafe { *entry.uses.get() += 1 };
        entry.text.clone()
    }
}

// The uses are counted under the read lock, which several threads hold at once.
fn main() {
    let counted = Counted { text: "page".to_string(), uses: UnsafeCell::new(0) };
    let cache = Arc::new(Cache { entry: RwLock::new(counted) });
    let readers = [(); 2].map(|()| {
        let cache = cache.clone();
        thread::spawn(move || cache.get())
    });
    println!("{:?}", readers.map(|reader| reader.join().unwrap()));
}
