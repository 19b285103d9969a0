//! A session that ends while somebody asks for its user.

use std::{
    sync::{Arc, RwLock},
    thread,
};

fn name_length(user: &RwLock<Option<String>>) -> usize {
    let user = user.read().unwrap();
    if user.is_none() {
        return 0;
    }
    unsafe { user.as_ref().unwrap_unchecked().len() }
}

// The check and the access are under one lock.
fn main() {
    let user = Arc::new(RwLock::new(Some("ada".to_owned())));
    let shared = user.clone();
    let asks = thread::spawn(move || name_length(&shared));
    *user.write().unwrap() = None;
    assert!(asks.join().unwrap() <= 3);
}
