use std::ptr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::thread;

struct Node {
    value: u32,
    next: *mut Node,
}

struct Stack {
    head: AtomicPtr<Node>,
    popping: Mutex<()>,
}

impl Stack {
    const fn new() -> Stack {
        Stack { head: AtomicPtr::new(ptr::null_mut()), popping: Mutex::new(()) }
    }

    fn push(&self, value: u32) {
        let node = Box::into_raw(Box::new(Node { value, next: ptr::null_mut() }));
        let mut head = self.head.load(Ordering::Relaxed);
        loop {
            unsafe { (*node).next = head };
            match self.head.compare_exchange_weak(head, node, Ordering::Release, Ordering::Relaxed) {
                Ok(_) => return,
                Err(now) => head = now,
            }
        }
    }

    fn pop(&self) -> Option<u32> {
        loop {
            let head = self.head.load(Ordering::Acquire);
            if head.is_null() {
                return None;
            }
            let next = unsafe { (*head).next }; //~ data-race
            if self.head.compare_exchange(head, next, Ordering::AcqRel, Ordering::Relaxed).is_ok() {
                return Some(unsafe { Box::from_raw(head) }.value); //~ data-race
            }
        }
    }
}

static STACK: Stack = Stack::new();

// A node is freed by whoever pops it while another thread may still look at its link.
fn main() {
    for value in 1..=3 {
        STACK.push(value);
    }
    let poppers: Vec<_> = (0..2).map(|_| thread::spawn(|| STACK.pop().unwrap_or(0))).collect();
    let sum: u32 = poppers.into_iter().map(|popper| popper.join().unwrap()).sum();
    println!("{} {}", sum + STACK.pop().unwrap_or(0), STACK.popping.is_poisoned());
}
