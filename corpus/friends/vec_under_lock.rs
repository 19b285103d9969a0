use std::cell::UnsafeCell;
use std::sync::{Arc, RwLock};
use std::thread;

struct Names {
    list: UnsafeCell<Vec<String>>,
    lock: RwLock<()>,
}

unsafe impl Sync for Names {}

impl Names {
    fn add(&self, name: &str) {
        let _held = self.lock.write().unwrap();
        unsafe { (*self.list.get()).push(name.to_string()) }
    }

    fn longest(&self) -> usize {
        let _held = self.lock.read().unwrap();
        let names = unsafe { &*self.list.get() };
        names.iter().map(String::len).max().unwrap_or(0)
    }
}

// Every call on the vector is made under the lock beside it.
fn main() {
    let names = Arc::new(Names { list: UnsafeCell::default(), lock: RwLock::new(()) });
    let readers = [(); 2].map(|()| {
        let names = names.clone();
        thread::spawn(move || names.longest())
    });
    names.add("ann");
    names.add("barbara");
    for reader in readers {
        println!("{}", reader.join().unwrap() <= 7);
    }
    println!("{}", names.longest());
}
