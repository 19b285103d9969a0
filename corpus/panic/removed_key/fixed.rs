//! Sessions are looked up while others log out.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    thread,
};

// The session is looked up once, and there may be none.
fn main() {
    let sessions = Arc::new(Mutex::new(BTreeMap::from([(1, "ada"), (2, "bob")])));
    let shared = sessions.clone();
    let logout = thread::spawn(move || shared.lock().unwrap().remove(&1));
    if let Some(name) = sessions.lock().unwrap().get(&1).copied() {
        assert_eq!(name, "ada");
    }
    assert_eq!(logout.join().unwrap(), Some("ada"));
}
