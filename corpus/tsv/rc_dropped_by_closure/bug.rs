use std::rc::Rc;
use std::thread;

struct Lent(Rc<String>);

unsafe impl Send for Lent {}

impl Lent {
    fn len(&self) -> usize {
        self.0.len()
    }
}

// A handle that a closure only borrows is dropped with the closure, after its body and without an order to `main`'s.
fn main() {
    let name = Rc::new("shared".to_owned());
    let lent = Lent(name.clone());
    let worker = thread::spawn(move || lent.len()); //~ thread-safety-violation
    println!("{}", name.len());
    drop(name); //~ thread-safety-violation
    println!("{}", worker.join().unwrap());
}
