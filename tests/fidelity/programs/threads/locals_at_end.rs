use std::cell::{Cell, OnceCell, RefCell};
use std::sync::{Mutex, mpsc};
use std::thread;

static LOG: Mutex<Vec<String>> = Mutex::new(Vec::new());

fn log(text: impl Into<String>) {
    LOG.lock().unwrap().push(text.into());
}

struct Noisy(&'static str);

impl Drop for Noisy {
    fn drop(&mut self) {
        let late = LATE.try_with(|late| late.get().is_some());
        log(format!("drop {} in {:?}, late {late:?}", self.0, thread::current().name()));
    }
}

struct Reports(mpsc::Sender<&'static str>);

impl Drop for Reports {
    fn drop(&mut self) {
        let _ = self.0.send("thread-local gone");
    }
}

thread_local! {
    static FIRST: Noisy = const { Noisy("first") };
    static SECOND: RefCell<Vec<Noisy>> = const { RefCell::new(Vec::new()) };
    static LATE: OnceCell<u8> = const { OnceCell::new() };
    static COUNT: Cell<u32> = Cell::new({ log("count made"); 1 });
    static REPORTS: RefCell<Option<Reports>> = const { RefCell::new(None) };
}

fn main() {
    let worker = thread::Builder::new().name("worker".into());
    worker
        .spawn(|| {
            SECOND.with_borrow_mut(|second| second.extend([Noisy("a"), Noisy("b")]));
            FIRST.with(|first| log(format!("uses {}", first.0)));
            LATE.with(|late| late.set(1).unwrap());
            COUNT.set(COUNT.get() + 1);
            log(format!("count {}", COUNT.get()));
        })
        .unwrap()
        .join()
        .unwrap();
    log("joined");
    // Its destructors run before it is joined, and one may send.
    let (tx, rx) = mpsc::channel();
    let sender = thread::spawn(move || REPORTS.set(Some(Reports(tx))));
    sender.join().unwrap();
    log(format!("{:?} {:?}", rx.try_recv(), rx.try_recv()));
    // A thread that panics has them dropped too.
    let failed = thread::Builder::new().name("fails".into()).spawn(|| {
        std::panic::set_hook(Box::new(|_| log("hook")));
        FIRST.with(|_| ());
        panic!("fails");
    });
    log(format!("{}", failed.unwrap().join().is_err()));
    // In a scope the threads' locals are gone when it ends, if they were joined.
    thread::scope(|scope| {
        let local = thread::Builder::new().name("scoped".into()).spawn_scoped(scope, || SECOND.set(vec![Noisy("c")])).unwrap();
        local.join().unwrap();
        log("scope ends");
    });
    log(format!("main has its own: {}", SECOND.with_borrow(Vec::len)));
    for line in LOG.lock().unwrap().iter() {
        println!("{line}");
    }
}
