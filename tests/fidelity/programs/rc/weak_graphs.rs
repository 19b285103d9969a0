// Rc and Weak: graphs with back edges, cyclic construction, counts, conversions, interior mutability.
use std::cell::{Cell, LazyCell, OnceCell, Ref, RefCell, RefMut};
use std::rc::{Rc, Weak};
struct Node { name: String, parent: RefCell<Weak<Node>>, children: RefCell<Vec<Rc<Node>>>, visits: Cell<u32> }
impl Node { fn new(name: &str) -> Rc<Node> { Rc::new(Node { name: name.into(), parent: RefCell::default(), children: RefCell::default(), visits: Cell::new(0) }) } fn add(self: &Rc<Self>, child: Rc<Node>) -> &Rc<Self> { *child.parent.borrow_mut() = Rc::downgrade(self); self.children.borrow_mut().push(child); self } fn path(&self) -> String { self.visits.set(self.visits.get() + 1); match self.parent.borrow().upgrade() { Some(p) => format!("{}/{}", p.path(), self.name), None => self.name.clone() } } fn walk(&self, f: &mut dyn FnMut(&Node, usize), depth: usize) { f(self, depth); for c in self.children.borrow().iter() { c.walk(f, depth + 1) } } }
impl Drop for Node { fn drop(&mut self) { println!("drop {} parent {}", self.name, self.parent.borrow().upgrade().is_some()) } }
struct Gadget { me: Weak<Gadget>, id: u8 }
impl Gadget { fn me(&self) -> Rc<Gadget> { self.me.upgrade().unwrap() } }
trait Observer { fn notify(&self, what: &str); }
struct Log(RefCell<Vec<String>>, u8);
impl Observer for Log { fn notify(&self, what: &str) { self.0.borrow_mut().push(format!("{}{what}", self.1)) } }
#[derive(Default)] struct Subject { observers: RefCell<Vec<Weak<dyn Observer>>> }
impl Subject { fn notify(&self, what: &str) -> usize { self.observers.borrow_mut().retain(|o| o.upgrade().map(|o| o.notify(what)).is_some()); self.observers.borrow().len() } }
fn main() {
    let root = Node::new("root"); let leaf = Node::new("leaf"); let mid = Node::new("mid");
    mid.add(leaf.clone()).add(Node::new("leaf2")); root.add(mid.clone()).add(Node::new("other"));
    println!("{} {} {}", leaf.path(), Rc::strong_count(&mid), Rc::weak_count(&mid));
    root.walk(&mut |n, d| println!("{:1$}{2}", "", d * 2, n.name), 0);
    println!("{} {}", root.visits.get(), Rc::ptr_eq(&leaf.parent.borrow().upgrade().unwrap(), &mid));
    drop(mid); println!("{}", leaf.path()); drop(root); println!("{} {}", leaf.path(), leaf.parent.borrow().strong_count());
    let g = Rc::new_cyclic(|me| { println!("{:?}", me.upgrade().is_none()); Gadget { me: me.clone(), id: 7 } });
    println!("{} {} {}", g.me().id, Rc::strong_count(&g), Rc::weak_count(&g));
    let s = Subject::default(); let a: Rc<Log> = Rc::new(Log(RefCell::default(), 1)); let b = Rc::new(Log(RefCell::default(), 2));
    s.observers.borrow_mut().push(Rc::downgrade(&a) as Weak<dyn Observer>); s.observers.borrow_mut().push({ let d: Rc<dyn Observer> = b.clone(); Rc::downgrade(&d) });
    println!("{}", s.notify("x")); drop(b); println!("{} {:?}", s.notify("y"), a.0.borrow());
    let mut r = Rc::new(vec![1, 2]); Rc::make_mut(&mut r).push(3); let other = r.clone(); Rc::make_mut(&mut r).push(4); println!("{r:?} {other:?} {:?}", Rc::get_mut(&mut r).is_some());
    println!("{:?} {:?}", Rc::try_unwrap(other), Rc::into_inner(r));
    let w = Weak::<u8>::new(); println!("{:?} {} {}", w.upgrade(), w.strong_count(), w.ptr_eq(&Weak::new()));
    let st: Rc<str> = "text".into(); let sl: Rc<[u8]> = vec![1, 2].into(); let bx: Rc<dyn Fn() -> u8> = Rc::new(|| 5); println!("{st} {sl:?} {} {}", bx(), Rc::<[u8]>::from(&b"ab"[..]).len());
    let raw = Rc::into_raw(Rc::new(9)); let back = unsafe { Rc::increment_strong_count(raw); Rc::from_raw(raw) }; println!("{back} {}", Rc::strong_count(&back)); unsafe { Rc::decrement_strong_count(raw) }; println!("{}", Rc::strong_count(&back));
    let c = RefCell::new((1, String::from("s"))); { let (x, y) = RefMut::map_split(c.borrow_mut(), |p| (&mut p.0, &mut p.1)); let (mut x, mut y) = (x, y); *x += 1; y.push('!'); println!("{:?} {:?}", c.try_borrow().is_err(), c.try_borrow_mut().err().map(|e| e.to_string())); }
    println!("{} {:?} {:?}", { Ref::map(c.borrow(), |p| &p.1).len() }, c.replace((0, "z".into())), c.take());
    let o = OnceCell::new(); println!("{:?} {} {:?} {:?}", o.get(), o.get_or_init(|| 5), o.set(6), o.clone().into_inner());
    let l = LazyCell::new(|| { println!("init"); 3 }); println!("{} {}", *l, *l + 1);
    let cell = Cell::new(vec![1]); let mut v = cell.take(); v.push(2); cell.set(v); println!("{:?} {:?}", cell.replace(vec![]), Cell::from_mut(&mut [1, 2, 3][..]).as_slice_of_cells().iter().map(|c| c.replace(0)).sum::<i32>());
    println!("{:?} {:?}", Rc::new(5).cmp(&Rc::new(6)), Rc::new("a") == Rc::new("a"));
}
