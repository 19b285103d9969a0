//! A connection that both of its users may close.

use std::{
    ptr,
    sync::{Arc, Mutex},
    thread,
};

struct Connection(*mut u64);

unsafe impl Send for Connection {}

fn close(connection: &Mutex<Connection>) {
    let mut open = connection.lock().unwrap();
    let id = std::mem::replace(&mut open.0, ptr::null_mut());
    if !id.is_null() {
        drop(unsafe { Box::from_raw(id) });
    }
}

// Who takes the pointer out closes it.
fn main() {
    let connection = Arc::new(Mutex::new(Connection(Box::into_raw(Box::new(7)))));
    let shared = connection.clone();
    let other = thread::spawn(move || close(&shared));
    close(&connection);
    other.join().unwrap();
}
