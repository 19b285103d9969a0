use std::cell::RefCell;
use std::rc::Rc;
use std::thread;

struct Tree {
    root: Rc<RefCell<Vec<u32>>>,
    also: Rc<RefCell<Vec<u32>>>,
}

struct Whole(Tree);

unsafe impl Send for Whole {}

impl Whole {
    fn grow(self) -> Whole {
        self.0.also.borrow_mut().push(Rc::strong_count(&self.0.root) as u32);
        self
    }
}

// All clones of the `Rc` go to the other thread together, and come back with the join.
fn main() {
    let root = Rc::new(RefCell::new(vec![1]));
    let whole = Whole(Tree { also: root.clone(), root });
    let back = thread::spawn(move || whole.grow()).join().unwrap();
    back.0.root.borrow_mut().push(3);
    println!("{:?}", back.0.also.borrow());
}
