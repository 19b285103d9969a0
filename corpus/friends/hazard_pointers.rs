use std::ptr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicPtr, Ordering::SeqCst};
use std::thread;

struct Node {
    value: u32,
    next: *mut Node,
}

#[derive(Default)]
struct Stack {
    head: AtomicPtr<Node>,
    hazards: [AtomicPtr<Node>; 2],
    retired: Mutex<Vec<usize>>,
}

impl Stack {
    fn push(&self, value: u32) {
        let node = Box::into_raw(Box::new(Node { value, next: ptr::null_mut() }));
        loop {
            let head = self.head.load(SeqCst);
            unsafe { (*node).next = head };
            if self.head.compare_exchange(head, node, SeqCst, SeqCst).is_ok() {
                return;
            }
        }
    }

    fn pop(&self, thread: usize) -> Option<u32> {
        loop {
            let head = self.head.load(SeqCst);
            if head.is_null() {
                return None;
            }
            self.hazards[thread].store(head, SeqCst);
            if self.head.load(SeqCst) != head {
                continue;
            }
            let next = unsafe { (*head).next };
            if self.head.compare_exchange(head, next, SeqCst, SeqCst).is_ok() {
                let value = unsafe { (*head).value };
                self.hazards[thread].store(ptr::null_mut(), SeqCst);
                self.retire(head);
                return Some(value);
            }
        }
    }

    fn retire(&self, node: *mut Node) {
        let mut retired = self.retired.lock().unwrap();
        retired.push(node as usize);
        retired.retain(|&node| {
            let node = node as *mut Node;
            let used = self.hazards.iter().any(|hazard| hazard.load(SeqCst) == node);
            if !used {
                drop(unsafe { Box::from_raw(node) });
            }
            used
        });
    }
}

// Nodes are freed only when no hazard pointer has them, and whoever has one looked at the head again.
fn main() {
    let stack = Stack::default();
    (1..=4).for_each(|value| stack.push(value));
    let sum: u32 = thread::scope(|scope| {
        let poppers = [0, 1].map(|thread| {
            let stack = &stack;
            scope.spawn(move || {
                let first = stack.pop(thread).unwrap_or(0);
                stack.push(first);
                first + stack.pop(thread).unwrap_or(0)
            })
        });
        poppers.into_iter().map(|popper| popper.join().unwrap()).sum()
    });
    println!("{}", sum > 0);
}
