use std::sync::Arc;
use std::thread;

struct Lent(Arc<String>);

impl Lent {
    fn len(&self) -> usize {
        self.0.len()
    }
}

// As `rc_dropped_by_closure`, with a closure that can be called again: whoever calls it last drops it, and that is std.
fn main() {
    let name = Arc::new("shared".to_owned());
    let lent = Lent(name.clone());
    let work = move || lent.len();
    println!("{}", work());
    let worker = thread::spawn(work);
    println!("{}", name.len());
    drop(name);
    println!("{}", worker.join().unwrap());
}
