use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc::channel;
use std::thread::{self, JoinHandle};

// Joining oneself is the one deadlock that the C library refuses.
fn main() {
    panic::set_hook(Box::new(|_| ()));
    let (handles, own) = channel::<JoinHandle<()>>();
    let (results, result) = channel();
    let thread = thread::spawn(move || {
        let own = own.recv().unwrap();
        let joined = panic::catch_unwind(AssertUnwindSafe(|| own.join()));
        results.send(joined.is_err()).unwrap();
    });
    handles.send(thread).unwrap();
    println!("panicked: {:?}", result.recv());
}
