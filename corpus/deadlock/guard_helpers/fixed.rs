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
        self.users.lock().unwrap()
    }

    fn names(&self) -> MutexGuard<'_, HashMap<String, u32>> {
        self.by_name.lock().unwrap()
    }

    fn add(&self, id: u32, name: &str) {
        let mut users = self.users();
        let mut names = self.names();
        users.insert(id, name.to_owned());
        names.insert(name.to_owned(), id);
    }

    fn rename(&self, old: &str, new: &str) {
        let mut users = self.users();
        let mut names = self.names();
        if let Some(id) = names.remove(old) {
            users.insert(id, new.to_owned());
            names.insert(new.to_owned(), id);
        }
    }
}

// Both functions take the two guards in one order.
fn main() {
    let store = Store::default();
    store.add(1, "ann");
    thread::scope(|scope| {
        scope.spawn(|| store.add(2, "bob"));
        store.rename("ann", "anna");
    });
    println!("{}", store.users().len());
}
