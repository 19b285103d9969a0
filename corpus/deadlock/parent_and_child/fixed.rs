use std::sync::{Arc, Mutex, Weak};
use std::thread;

struct Node {
    parent: Mutex<Weak<Node>>,
    children: Mutex<Vec<Arc<Node>>>,
    size: Mutex<u64>,
}

impl Node {
    fn new(size: u64) -> Arc<Node> {
        Arc::new(Node { parent: Mutex::default(), children: Mutex::default(), size: Mutex::new(size) })
    }

    fn adopt(self: &Arc<Node>, child: Arc<Node>) {
        *child.parent.lock().unwrap() = Arc::downgrade(self);
        self.children.lock().unwrap().push(child);
    }

    fn total(&self) -> u64 {
        let own = self.size.lock().unwrap();
        let children = self.children.lock().unwrap().clone();
        children.iter().fold(*own, |total, child| total + *child.size.lock().unwrap())
    }

    fn grow(&self, by: u64) {
        *self.size.lock().unwrap() += by;
        if let Some(parent) = self.parent.lock().unwrap().upgrade() {
            *parent.size.lock().unwrap() += by;
        }
    }
}

// Totals lock from the parent down, growth locks from the child up.
fn main() {
    let root = Node::new(1);
    let leaf = Node::new(2);
    root.adopt(leaf.clone());
    let writer = thread::spawn(move || leaf.grow(5));
    println!("{}", root.total() >= 3);
    writer.join().unwrap();
}
