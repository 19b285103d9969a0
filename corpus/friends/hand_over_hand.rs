use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;

struct Node {
    value: u32,
    next: Option<Arc<Mutex<Node>>>,
}

fn list(values: &[u32]) -> Option<Arc<Mutex<Node>>> {
    let (&value, rest) = values.split_first()?;
    Some(Arc::new(Mutex::new(Node { value, next: list(rest) })))
}

fn add(first: &Arc<Mutex<Node>>, amount: u32) {
    fn step(mut node: MutexGuard<'_, Node>, amount: u32) {
        node.value += amount;
        if let Some(next) = node.next.clone() {
            let following = next.lock().unwrap();
            drop(node);
            step(following, amount);
        }
    }
    step(first.lock().unwrap(), amount);
}

// Each node is locked before the one in front of it is let go, always from the front.
fn main() {
    let first = list(&[1, 2, 3]).unwrap();
    let adder = {
        let first = first.clone();
        thread::spawn(move || add(&first, 10))
    };
    add(&first, 100);
    adder.join().unwrap();
    println!("{}", first.lock().unwrap().value);
}
