//! Sessions are looked up while others log out.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    thread,
};

// The session may end between the question whether it exists and the access.
fn main() {
    let sessions = Arc::new(Mutex::new(BTreeMap::from([(1, "ada"), (2, "bob")])));
    let shared = sessions.clone();
    let logout = thread::spawn(move || shared.lock().unwrap().remove(&1));
    if sessions.lock().unwrap().contains_key(&1) {
        let name = sessions.lock().unwrap()[&1]; //~ schedule-dependent-panic
        assert_eq!(name, "ada");
    }
    assert_eq!(logout.join().unwrap(), Some("ada"));
}
