use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard};
use std::thread;

#[derive(Default)]
struct Store {
    users: Mutex<HashMap<u32, String>>,
    by_name: Mutex<HashMap<String, u32>>,
}

impl Store {
    fn users(&self) -> MutexGuard<'_, HashMap<u32, String>> {
        self.users.lock().unwrap() //~ deadlock
    }

    fn names(&self) -> MutexGuard<'_, HashMap<String, u32>> {
        self.by_name.lock().unwrap() //~ deadlock
    }

    fn add(&self, id: u32, name: &str) {
        let mut users = self.users();
        let mut names = self.names();
        users.insert(id, name.to_owned());
        names.insert(name.to_owned(), id);
    }

    fn rename(&self, old: &str, new: &str) {
        let mut names = self.names();
        if let Some(id) = names.remove(old) {
            self.users().insert(id, new.to_owned());
            names.insert(new.to_owned(), id);
        }
    }
}

// Two functions take the same two guards from helpers, in opposite orders.
fn main() {
    let store = Store::default();
    store.add(1, "ann");
    thread::scope(|scope| {
        scope.spawn(|| store.add(2, "bob"));
        store.rename("ann", "anna");
    });
    println!("{}", store.users().len());
}
