// Trees with parents by `Weak`, observers that unregister themselves, and `RefCell`s that refuse.

use std::{
    cell::{Cell, OnceCell, RefCell},
    rc::{Rc, Weak},
};

#[derive(Debug)]
struct Node {
    name: String,
    parent: RefCell<Weak<Node>>,
    children: RefCell<Vec<Rc<Node>>>,
    depth: OnceCell<usize>,
}

impl Node {
    fn new(name: &str) -> Rc<Node> {
        let (parent, children) = (RefCell::default(), RefCell::default());
        Rc::new(Node { name: name.into(), parent, children, depth: OnceCell::new() })
    }

    fn adopt(self: &Rc<Self>, child: Rc<Node>) -> &Rc<Self> {
        *child.parent.borrow_mut() = Rc::downgrade(self);
        self.children.borrow_mut().push(child);
        self
    }

    fn depth(&self) -> usize {
        *self.depth.get_or_init(|| self.parent.borrow().upgrade().map_or(0, |parent| parent.depth() + 1))
    }

    fn path(&self) -> String {
        match self.parent.borrow().upgrade() {
            Some(parent) => format!("{}/{}", parent.path(), self.name),
            None => self.name.clone(),
        }
    }

    fn walk(self: &Rc<Self>, visit: &mut dyn FnMut(&Node)) {
        visit(self);
        self.children.borrow().iter().for_each(|child| child.walk(visit));
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        println!("drop {} with {} children", self.name, self.children.borrow().len());
    }
}

#[derive(Default)]
struct Subject {
    observers: RefCell<Vec<Weak<dyn Fn(i32)>>>,
}

impl Subject {
    fn tell(&self, value: i32) -> usize {
        let live: Vec<Rc<dyn Fn(i32)>> = self.observers.borrow().iter().filter_map(Weak::upgrade).collect();
        live.iter().for_each(|observer| observer(value));
        drop(live);
        self.observers.borrow_mut().retain(|it| it.strong_count() > 0);
        self.observers.borrow().len()
    }
}

fn main() {
    let root = Node::new("root");
    let leaf = Node::new("leaf");
    let branch = Node::new("branch");
    branch.adopt(leaf.clone()).adopt(Node::new("twig"));
    root.adopt(branch);
    println!("{} {} {}", leaf.path(), leaf.depth(), Rc::weak_count(&root));
    let mut names = Vec::new();
    root.walk(&mut |node| names.push(format!("{}{}", node.name, node.depth())));
    println!("{names:?}");
    let weak = Rc::downgrade(&root);
    drop(root);
    println!("{} {:?} {}", weak.upgrade().is_none(), leaf.path(), Rc::strong_count(&leaf));

    let subject = Rc::new(Subject::default());
    let sum = Rc::new(Cell::new(0));
    let own = sum.clone();
    let first: Rc<dyn Fn(i32)> = Rc::new(move |value| own.set(own.get() + value));
    let (own, held) = (sum.clone(), Rc::new(RefCell::new(None::<Rc<dyn Fn(i32)>>)));
    let slot = held.clone();
    let once: Rc<dyn Fn(i32)> = Rc::new(move |value| {
        own.set(own.get() * value);
        slot.borrow_mut().take();
    });
    subject.observers.borrow_mut().extend([Rc::downgrade(&first), Rc::downgrade(&once)]);
    *held.borrow_mut() = Some(once);
    println!("{} {}", subject.tell(3), sum.get());
    println!("{} {}", subject.tell(4), sum.get());
    let cell = RefCell::new(1);
    let shared = cell.borrow();
    println!("{:?} {:?} {:?}", cell.try_borrow_mut().is_err(), cell.try_borrow().map(|it| *it), cell);
    drop(shared);
    *cell.borrow_mut() += 1;
    println!("{:?} {}", cell, cell.replace(9));
    println!("{}", Rc::try_unwrap(Rc::new(cell)).map(RefCell::into_inner).unwrap_or(0));
}
