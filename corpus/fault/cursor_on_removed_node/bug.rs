//! A linked list whose cursor is outside of its lock.

use std::{
    ptr,
    sync::{Arc, Mutex},
    thread,
};

struct Node {
    value: u32,
    next: *mut Node,
}

struct List {
    first: *mut Node,
    removed: u32,
}

unsafe impl Send for List {}

fn sum(list: &Mutex<List>) -> u32 {
    let (mut sum, mut at) = (0, list.lock().unwrap().first);
    while !at.is_null() {
        let _guard = list.lock().unwrap();
        (sum, at) = unsafe { (sum + (*at).value, (*at).next) }; //~ schedule-dependent-fault
    }
    sum
}

// The lock is released between two steps, and the node at the cursor may be freed meanwhile.
fn main() {
    let last = Box::into_raw(Box::new(Node { value: 2, next: ptr::null_mut() }));
    let first = Box::into_raw(Box::new(Node { value: 1, next: last }));
    let list = Arc::new(Mutex::new(List { first, removed: 0 }));
    let shared = list.clone();
    let walker = thread::spawn(move || sum(&shared));
    let mut guard = list.lock().unwrap();
    let node = unsafe { Box::from_raw(guard.first) };
    (guard.first, guard.removed) = (node.next, 1);
    drop(node); //~ schedule-dependent-fault
    drop(guard);
    assert!(matches!(walker.join().unwrap(), 2 | 3));
}
