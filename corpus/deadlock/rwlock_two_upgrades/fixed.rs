use std::sync::{Arc, RwLock, RwLockReadGuard};
use std::thread;

struct Document {
    text: RwLock<String>,
}

impl Document {
    fn replace(&self, seen: RwLockReadGuard<'_, String>) {
        let next = format!("{}!", *seen);
        drop(seen);
        *self.text.write().unwrap() = next;
    }

    fn shout(&self) {
        let seen = self.text.read().unwrap();
        if seen.len() < 10 {
            self.replace(seen);
        }
    }
}

// The reader keeps its guard until after the write that waits for it.
fn main() {
    let document = Arc::new(Document { text: RwLock::new("hey".to_string()) });
    let editors = [0; 2].map(|_| {
        let document = document.clone();
        thread::spawn(move || document.shout())
    });
    for editor in editors {
        editor.join().unwrap();
    }
    println!("{}", document.text.read().unwrap().starts_with("hey!"));
}
