use std::collections::LinkedList;
use std::ptr::addr_of_mut;
use std::thread;

static mut HISTORY: LinkedList<u32> = LinkedList::new();

fn visit(page: u32) {
    unsafe { (*addr_of_mut!(HISTORY)).push_back(page) } //~ thread-safety-violation
}

fn clear() {
    unsafe { (*addr_of_mut!(HISTORY)).clear() } //~ thread-safety-violation
}

// The history is cleared while another thread adds to it.
fn main() {
    visit(1);
    let cleaner = thread::spawn(clear);
    visit(2);
    cleaner.join().unwrap();
    println!("{}", unsafe { (*addr_of_mut!(HISTORY)).len() } <= 1);
}
