//! A log is read from a position that was remembered.

use std::{
    sync::{Arc, RwLock},
    thread,
};

/// Lines, and where the unread ones begin.
struct Log {
    lines: RwLock<Vec<String>>,
}

impl Log {
    fn end(&self) -> usize {
        self.lines.read().unwrap().len()
    }

    fn since(&self, position: usize) -> Vec<String> {
        self.lines.read().unwrap()[position..].to_vec() //~ schedule-dependent-panic
    }
}

// The log may be emptied after the position was remembered, and then the position is behind its end.
fn main() {
    let log = Arc::new(Log { lines: RwLock::new(vec!["start".to_owned()]) });
    let shared = log.clone();
    let rotation = thread::spawn(move || shared.lines.write().unwrap().truncate(0));
    let position = log.end();
    let unread = log.since(position);
    assert!(unread.is_empty());
    rotation.join().unwrap();
}
