use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::thread;

struct Node {
    value: u32,
    next: *mut Node,
}

struct Stack {
    head: AtomicPtr<Node>,
}

impl Stack {
    fn push(&self, value: u32) {
        let node = Box::into_raw(Box::new(Node { value, next: ptr::null_mut() }));
        let mut head = self.head.load(Ordering::Relaxed);
        loop {
            unsafe { (*node).next = head }; //~ data-race
            match self.head.compare_exchange_weak(head, node, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return,
                Err(now) => head = now,
            }
        }
    }

    fn len(&self) -> usize {
        let mut node = self.head.load(Ordering::Acquire);
        let mut len = 0;
        while !node.is_null() {
            len += 1;
            node = unsafe { (*node).next }; //~ data-race
        }
        len
    }
}

static STACK: Stack = Stack { head: AtomicPtr::new(ptr::null_mut()) };

// The node is linked in with a relaxed exchange, which does not publish its fields.
fn main() {
    let pusher = thread::spawn(|| STACK.push(1));
    println!("{}", STACK.len() < 2);
    pusher.join().unwrap();
    let head = STACK.head.swap(ptr::null_mut(), Ordering::Acquire);
    println!("{}", unsafe { Box::from_raw(head) }.value);
}
