use std::rc::Rc;
use std::thread;

struct Lent(Rc<String>);

unsafe impl Send for Lent {}

impl Lent {
    fn len(&self) -> usize {
        self.0.len()
    }
}

// As `rc_dropped_by_closure`, with a closure that can be called again: whoever calls it last drops it, and that is std.
fn main() {
    let name = Rc::new("shared".to_owned());
    let lent = Lent(name.clone());
    let work = move || lent.len(); //~ thread-safety-violation
    println!("{}", work());
    let worker = thread::spawn(work);
    println!("{}", name.len());
    drop(name); //~ thread-safety-violation
    println!("{}", worker.join().unwrap());
}
