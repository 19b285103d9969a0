//! A connection that both of its users may close.

use std::{
    ptr,
    sync::{Arc, Mutex},
    thread,
};

struct Connection(*mut u64);

unsafe impl Send for Connection {}

fn close(connection: &Mutex<Connection>) {
    let id = connection.lock().unwrap().0;
    if id.is_null() {
        return;
    }
    let mut open = connection.lock().unwrap();
    drop(unsafe { Box::from_raw(id) }); //~ schedule-dependent-fault
    open.0 = ptr::null_mut();
}

// Whether it is open is asked under one lock, and it is closed under the next.
fn main() {
    let connection = Arc::new(Mutex::new(Connection(Box::into_raw(Box::new(7)))));
    let shared = connection.clone();
    let other = thread::spawn(move || close(&shared));
    close(&connection);
    other.join().unwrap();
}
