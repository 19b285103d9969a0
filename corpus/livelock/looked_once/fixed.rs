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

// The server looks until it has answered the request.
fn main() {
    let requests = Arc::new(Requests::default());
    let own = Arc::clone(&requests);
    let server = thread::spawn(move || {
        let mut answered = 0;
        while answered == 0 {
            for request in own.lock().unwrap().drain(..) {
                request.answered.store(true, Ordering::Release);
                answered += 1;
            }
            thread::yield_now();
        }
    });
    let request = Arc::new(Request::default());
    requests.lock().unwrap().push(Arc::clone(&request));
    while !request.answered.load(Ordering::Acquire) {
        thread::yield_now();
    }
    server.join().unwrap();
}
