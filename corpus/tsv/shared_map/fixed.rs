use std::cell::UnsafeCell;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::Mutex;
use std::thread;

#[derive(Default)]
struct Sessions {
    users: UnsafeCell<HashMap<u32, &'static str>>,
    lock: Mutex<()>,
}

unsafe impl Sync for Sessions {}

impl Sessions {
    fn open(&self, id: u32, user: &'static str) {
        let _held = self.lock.lock().unwrap();
        unsafe { (*self.users.get()).insert(id, user) };
    }

    fn is_open(&self, id: u32) -> bool {
        let _held = self.lock.lock().unwrap();
        unsafe { (*self.users.get()).contains_key(&id) }
    }
}

// One thread looks into the map while another one inserts.
fn main() {
    let sessions = Arc::new(Sessions::default());
    sessions.open(1, "ann");
    let visitor = {
        let sessions = sessions.clone();
        thread::spawn(move || sessions.is_open(1))
    };
    sessions.open(2, "bob");
    println!("{}", visitor.join().unwrap());
}
