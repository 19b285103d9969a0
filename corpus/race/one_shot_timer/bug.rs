use std::cell::UnsafeCell;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

struct Request {
    status: UnsafeCell<&'static str>,
}

unsafe impl Sync for Request {}

impl Request {
    fn set(&self, status: &'static str) {
        unsafe { *self.status.get() = status } //~ data-race
    }
}

fn after(delay: Duration, action: impl FnOnce() + Send + 'static) -> thread::JoinHandle<()> {
    thread::spawn(move || {
        thread::sleep(delay);
        action();
    })
}

// The timer that declares the request late fires while the answer is being noted.
fn main() {
    let request = Arc::new(Request { status: UnsafeCell::new("sent") });
    let timeout = {
        let request = request.clone();
        after(Duration::from_millis(20), move || request.set("late"))
    };
    thread::sleep(Duration::from_millis(20));
    request.set("answered");
    timeout.join().unwrap();
    println!("{}", unsafe { *request.status.get() }.len() > 3);
}
