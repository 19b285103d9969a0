use std::collections::LinkedList;
use std::ptr::addr_of_mut;
use std::sync::Mutex;
use std::thread;

static mut HISTORY: LinkedList<u32> = LinkedList::new();
static LOCK: Mutex<()> = Mutex::new(());

fn visit(page: u32) {
    let _held = LOCK.lock().unwrap();
    unsafe { (*addr_of_mut!(HISTORY)).push_back(page) }
}

fn clear() {
    let _held = LOCK.lock().unwrap();
    unsafe { (*addr_of_mut!(HISTORY)).clear() }
}

// The history is cleared while another thread adds to it.
fn main() {
    visit(1);
    let cleaner = thread::spawn(clear);
    visit(2);
    cleaner.join().unwrap();
    println!("{}", unsafe { (*addr_of_mut!(HISTORY)).len() } <= 1);
}
