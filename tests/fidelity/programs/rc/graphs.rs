use std::cell::{Cell, OnceCell, RefCell};
use std::rc::{Rc, Weak};

struct Tree {
    name: &'static str,
    parent: RefCell<Weak<Tree>>,
    kids: RefCell<Vec<Rc<Tree>>>,
    visits: Cell<u32>,
}
impl Tree {
    fn new(name: &'static str) -> Rc<Tree> {
        Rc::new(Tree { name, parent: RefCell::default(), kids: RefCell::default(), visits: Cell::new(0) })
    }
    fn add(self: &Rc<Self>, kid: Rc<Tree>) {
        *kid.parent.borrow_mut() = Rc::downgrade(self);
        self.kids.borrow_mut().push(kid);
    }
    fn path(&self) -> String {
        self.visits.set(self.visits.get() + 1);
        match self.parent.borrow().upgrade() {
            Some(p) => format!("{}/{}", p.path(), self.name),
            None => self.name.to_string(),
        }
    }
    fn depth_first(&self, f: &mut dyn FnMut(&Tree)) {
        f(self);
        for k in self.kids.borrow().iter() {
            k.depth_first(f);
        }
    }
}
impl Drop for Tree {
    fn drop(&mut self) {
        println!("drop {} parent alive: {}", self.name, self.parent.borrow().upgrade().is_some());
    }
}

struct Node {
    id: u32,
    edges: RefCell<Vec<Weak<Node>>>,
}

fn main() {
    let root = Tree::new("root");
    let a = Tree::new("a");
    let b = Tree::new("b");
    root.add(a.clone());
    a.add(b.clone());
    a.add(Tree::new("c"));
    println!("{} {}", b.path(), a.kids.borrow()[1].path());
    println!("{} {} {}", root.visits.get(), a.visits.get(), b.visits.get());
    println!("{} {} {}", Rc::strong_count(&a), Rc::weak_count(&a), Rc::strong_count(&b));
    let mut names = vec![];
    root.depth_first(&mut |t| names.push(t.name));
    println!("{names:?}");
    drop(root);
    println!("{}", b.path());
    a.kids.borrow_mut().retain(|k| k.name != "c");
    drop(a);
    println!("{}", b.path());
    drop(b);
    let nodes: Vec<Rc<Node>> = (0..3).map(|id| Rc::new(Node { id, edges: RefCell::new(vec![]) })).collect();
    for i in 0..3 {
        nodes[i].edges.borrow_mut().push(Rc::downgrade(&nodes[(i + 1) % 3]));
    }
    let next = |n: &Rc<Node>| n.edges.borrow()[0].upgrade();
    println!("{:?}", next(&next(&nodes[1]).unwrap()).map(|n| n.id));
    let mut r = Rc::new(vec![1]);
    Rc::make_mut(&mut r).push(2);
    let shared = r.clone();
    Rc::make_mut(&mut r).push(3);
    println!("{:?} {:?} {}", r, shared, Rc::ptr_eq(&r, &shared));
    println!("{:?} {:?}", Rc::get_mut(&mut r).is_some(), Rc::try_unwrap(shared));
    let s: Rc<str> = "shared".into();
    let d: Rc<dyn std::fmt::Debug> = Rc::new(5);
    println!("{s} {d:?} {}", Rc::unwrap_or_clone(Rc::new(7)));
    let me = Rc::new_cyclic(|w: &Weak<(u8, Weak<()>)>| (w.strong_count() as u8, Weak::new()));
    println!("{} {}", me.0, me.1.upgrade().is_none());
    let c = Cell::new(5);
    println!("{} {} {:?}", c.replace(6), c.take(), c);
    let arr = Cell::new([1, 2, 3]);
    let sl: &[Cell<i32>] = (&arr as &Cell<[i32]>).as_slice_of_cells();
    sl[1].set(20);
    sl[0].swap(&sl[2]);
    println!("{:?}", arr.get());
    let rc = RefCell::new((1, "x".to_string()));
    let part = std::cell::Ref::map(rc.borrow(), |p| &p.1);
    println!("{part} {:?}", rc.try_borrow_mut().is_err());
    drop(part);
    std::cell::RefMut::map(rc.borrow_mut(), |p| &mut p.0).add_one();
    println!("{:?} {:?}", rc.replace((9, String::new())), rc.into_inner());
    let o: OnceCell<Rc<str>> = OnceCell::new();
    println!("{:?} {:?}", o.get_or_init(|| "init".into()), o.set("no".into()).is_err());
}
trait AddOne {
    fn add_one(self);
}
impl AddOne for std::cell::RefMut<'_, i32> {
    fn add_one(mut self) {
        *self += 1;
    }
}
