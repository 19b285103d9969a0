use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::thread;

struct Node<T> {
    value: T,
    next: *mut Node<T>,
}

struct Inbox<T> {
    head: AtomicPtr<Node<T>>,
}

impl<T> Inbox<T> {
    const fn new() -> Self {
        Inbox { head: AtomicPtr::new(ptr::null_mut()) }
    }

    fn push(&self, value: T) {
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

    fn drain(&self) -> Vec<T> {
        let mut values = Vec::new();
        let mut node = self.head.swap(ptr::null_mut(), Ordering::Acquire);
        while !node.is_null() {
            let Node { value, next } = *unsafe { Box::from_raw(node) };
            values.push(value);
            node = next;
        }
        values.reverse();
        values
    }
}

static INBOX: Inbox<String> = Inbox::new();

// Nodes are taken out all at once, so none is freed while somebody looks at its link.
fn main() {
    let senders: Vec<_> = (0..2).map(|n| thread::spawn(move || INBOX.push(format!("letter {n}")))).collect();
    let early = [INBOX.drain(), INBOX.drain()].concat();
    senders.into_iter().for_each(|sender| sender.join().unwrap());
    println!("{}", early.len() + INBOX.drain().len());
}
