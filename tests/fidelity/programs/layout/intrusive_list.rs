// A doubly linked list whose nodes are owned elsewhere: raw neighbours, unlinking on drop, `Pin`.
use std::cell::Cell;
use std::marker::PhantomPinned;
use std::pin::Pin;
use std::ptr;

struct Node {
    name: &'static str,
    previous: Cell<*const Node>,
    next: Cell<*const Node>,
    _pinned: PhantomPinned,
}
impl Node {
    fn new(name: &'static str) -> Pin<Box<Node>> {
        let node = Box::pin(Node { name, previous: Cell::new(ptr::null()), next: Cell::new(ptr::null()), _pinned: PhantomPinned });
        node.previous.set(&*node);
        node.next.set(&*node);
        node
    }
    fn insert_after(self: Pin<&Self>, other: Pin<&Node>) {
        let (this, other) = (self.get_ref(), other.get_ref());
        let next = this.next.get();
        other.previous.set(this);
        other.next.set(next);
        unsafe { (*next).previous.set(other) };
        this.next.set(other);
    }
    fn names(&self) -> Vec<&'static str> {
        let mut names = vec![self.name];
        let mut at = self.next.get();
        while !ptr::eq(at, self) {
            names.push(unsafe { (*at).name });
            at = unsafe { (*at).next.get() };
        }
        names
    }
}
impl Drop for Node {
    fn drop(&mut self) {
        let (previous, next) = (self.previous.get(), self.next.get());
        println!("unlink {} between {} and {}", self.name, unsafe { (*previous).name }, unsafe { (*next).name });
        unsafe {
            (*previous).next.set(next);
            (*next).previous.set(previous);
        }
    }
}

fn main() {
    let head = Node::new("head");
    let mut nodes: Vec<_> = ["a", "b", "c", "d"].into_iter().map(Node::new).collect();
    for node in &nodes {
        head.as_ref().insert_after(node.as_ref());
    }
    println!("{:?}", head.names());
    drop(nodes.remove(1));
    println!("{:?}", head.names());
    nodes.swap(0, 2);
    println!("{:?}", nodes[0].names());
    nodes.truncate(1);
    println!("{:?}", head.names());
}
