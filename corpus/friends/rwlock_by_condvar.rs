use std::cell::UnsafeCell;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

#[derive(Default)]
struct Access {
    readers: u32,
    writing: bool,
}

struct Guarded<T> {
    access: Mutex<Access>,
    freed: Condvar,
    value: UnsafeCell<T>,
}

unsafe impl<T: Send + Sync> Sync for Guarded<T> {}

impl<T> Guarded<T> {
    fn read<R>(&self, look: impl FnOnce(&T) -> R) -> R {
        let mut access = self.freed.wait_while(self.access.lock().unwrap(), |access| access.writing).unwrap();
        access.readers += 1;
        drop(access);
        let result = look(unsafe { &*self.value.get() });
        let mut access = self.access.lock().unwrap();
        access.readers -= 1;
        if access.readers == 0 {
            self.freed.notify_all();
        }
        result
    }

    fn write<R>(&self, change: impl FnOnce(&mut T) -> R) -> R {
        let busy = |access: &mut Access| access.writing || access.readers > 0;
        self.freed.wait_while(self.access.lock().unwrap(), busy).unwrap().writing = true;
        let result = change(unsafe { &mut *self.value.get() });
        self.access.lock().unwrap().writing = false;
        self.freed.notify_all();
        result
    }
}

// The vector is used outside the mutex, but its readers and writers are counted under it.
fn main() {
    let names = Arc::new(Guarded { access: Mutex::default(), freed: Condvar::new(), value: UnsafeCell::new(vec!["ann"]) });
    let threads = ["bob", "cid"].map(|name| {
        let names = names.clone();
        thread::spawn(move || {
            names.write(|names| names.push(name));
            names.read(|names| names.contains(&name))
        })
    });
    let before = names.read(Vec::len);
    println!("{} {}", before <= 3, threads.into_iter().all(|thread| thread.join().unwrap()));
}
