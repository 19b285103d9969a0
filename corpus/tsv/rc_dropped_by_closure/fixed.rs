use std::sync::Arc;
use std::thread;

struct Lent(Arc<String>);

impl Lent {
    fn len(&self) -> usize {
        self.0.len()
    }
}

// A handle that a closure only borrows is dropped with the closure, after its body and without an order to `main`'s.
fn main() {
    let name = Arc::new("shared".to_owned());
    let lent = Lent(name.clone());
    let worker = thread::spawn(move || lent.len());
    println!("{}", name.len());
    drop(name);
    println!("{}", worker.join().unwrap());
}
