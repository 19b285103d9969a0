//! A session that ends while somebody asks for its user.

use std::{
    sync::{Arc, RwLock},
    thread,
};

fn name_length(user: &RwLock<Option<String>>) -> usize {
    if user.read().unwrap().is_none() {
        return 0;
    }
    unsafe { user.read().unwrap().as_ref().unwrap_unchecked().len() } //~ schedule-dependent-fault
}

// The user is looked up again under a second lock, without a check.
fn main() {
    let user = Arc::new(RwLock::new(Some("ada".to_owned())));
    let shared = user.clone();
    let asks = thread::spawn(move || name_length(&shared));
    *user.write().unwrap() = None;
    assert!(asks.join().unwrap() <= 3);
}
