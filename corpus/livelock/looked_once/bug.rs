//! A stack of requests, and a client that polls for its answer.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

#[derive(Default)]
struct Request {
    answered: AtomicBool,
}

type Requests = Mutex<Vec<Arc<Request>>>;

// The server answers what it finds when it looks, once. A request that comes later is never answered.
fn main() {
    let requests = Arc::new(Requests::default());
    let own = Arc::clone(&requests);
    let server = thread::spawn(move || {
        for request in own.lock().unwrap().drain(..) {
            request.answered.store(true, Ordering::Release);
        }
    });
    let request = Arc::new(Request::default());
    requests.lock().unwrap().push(Arc::clone(&request));
    while !request.answered.load(Ordering::Acquire) { //~ livelock
        thread::yield_now();
    }
    server.join().unwrap();
}
