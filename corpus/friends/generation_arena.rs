use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::{Rc, Weak};
use std::thread;

#[derive(Default)]
struct Tree {
    nodes: RefCell<HashMap<u32, Rc<Node>>>,
}

struct Node {
    id: u32,
    parent: RefCell<Weak<Node>>,
    children: RefCell<Vec<Rc<Node>>>,
}

impl Tree {
    fn add(&self, id: u32, parent: Option<u32>) -> Rc<Node> {
        let node = Rc::new(Node { id, parent: RefCell::default(), children: RefCell::default() });
        if let Some(parent) = parent.and_then(|id| self.nodes.borrow().get(&id).cloned()) {
            *node.parent.borrow_mut() = Rc::downgrade(&parent);
            parent.children.borrow_mut().push(node.clone());
        }
        self.nodes.borrow_mut().insert(id, node.clone());
        node
    }

    fn depth(&self, id: u32) -> usize {
        let node = self.nodes.borrow().get(&id).cloned();
        std::iter::successors(node, |node| node.parent.borrow().upgrade()).count()
    }
}

struct Whole(Tree);

unsafe impl Send for Whole {}

// The tree is full of `Rc` and `RefCell`, but all of it moves, and nobody keeps a handle.
fn main() {
    let builder = thread::spawn(|| {
        let tree = Tree::default();
        tree.add(1, None);
        tree.add(2, Some(1));
        Whole(tree)
    });
    let Whole(tree) = builder.join().unwrap();
    let leaf = tree.add(3, Some(2)).id;
    let whole = Whole(tree);
    let walker = thread::spawn(move || {
        let whole = whole;
        whole.0.depth(leaf)
    });
    println!("{}", walker.join().unwrap());
}
