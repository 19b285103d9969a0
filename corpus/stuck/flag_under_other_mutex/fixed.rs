use std::sync::{Arc, Condvar, Mutex};
use std::thread;

struct Connection {
    inbox: Mutex<Vec<String>>,
    closed: Mutex<bool>,
    arrived: Condvar,
}

impl Connection {
    fn receive(&self) -> Option<String> {
        let mut inbox = self.inbox.lock().unwrap();
        loop {
            if let Some(message) = inbox.pop() {
                return Some(message);
            }
            if *self.closed.lock().unwrap() {
                return None;
            }
            inbox = self.arrived.wait(inbox).unwrap();
        }
    }

    fn close(&self) {
        let _inbox = self.inbox.lock().unwrap();
        *self.closed.lock().unwrap() = true;
        self.arrived.notify_all();
    }
}

// The flag has a mutex of its own, so it can be set between the look at it and the wait.
fn main() {
    let connection = Arc::new(Connection { inbox: Mutex::default(), closed: Mutex::new(false), arrived: Condvar::new() });
    connection.inbox.lock().unwrap().push("hello".to_string());
    let peer = {
        let connection = connection.clone();
        thread::spawn(move || connection.close())
    };
    let mut received = Vec::new();
    while let Some(message) = connection.receive() {
        received.push(message);
    }
    peer.join().unwrap();
    println!("{received:?}");
}
