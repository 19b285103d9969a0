//! Whether a thread panics, asked before, during and after panics of its own and of others.

use std::panic::{self, AssertUnwindSafe};
use std::sync::{Mutex, mpsc};
use std::thread;

struct Tells(&'static str);

impl Drop for Tells {
    fn drop(&mut self) {
        println!("{}: {}", self.0, thread::panicking());
    }
}

fn ask(when: &str) {
    println!("{when}: {}", thread::panicking());
}

fn main() {
    ask("at first");
    drop(Tells("no panic so far"));
    let total = Mutex::new(1);
    *total.lock().unwrap() += 1;

    let caught = panic::catch_unwind(AssertUnwindSafe(|| {
        let _tells = Tells("unwinding");
        let _guard = total.lock().unwrap();
        panic!("with the lock held");
    }));
    println!("{} {}", caught.is_err(), total.is_poisoned());
    ask("after the first");
    total.clear_poison();

    let (begun, has_begun) = mpsc::channel();
    let (finish, may_finish) = mpsc::channel::<()>();
    struct Waits(mpsc::Sender<()>, mpsc::Receiver<()>);
    impl Drop for Waits {
        fn drop(&mut self) {
            self.0.send(()).unwrap();
            let _ = self.1.recv();
        }
    }
    let other = thread::spawn(move || {
        let _waits = Waits(begun, may_finish);
        panic::resume_unwind(Box::new(7));
    });
    has_begun.recv().unwrap();
    ask("while another does");
    *total.lock().unwrap() += 1;
    println!("{}", total.is_poisoned());
    finish.send(()).unwrap();
    println!("{:?}", other.join().unwrap_err().downcast_ref::<i32>());

    let nested = panic::catch_unwind(|| {
        struct Inner;
        impl Drop for Inner {
            fn drop(&mut self) {
                let inner = panic::catch_unwind(|| panic::resume_unwind(Box::new("inner")));
                println!("{} {}", inner.is_err(), thread::panicking());
            }
        }
        let _inner = Inner;
        panic::resume_unwind(Box::new("outer"));
    });
    println!("{} {} {}", nested.is_err(), thread::panicking(), *total.lock().unwrap());
    println!("done");
}
