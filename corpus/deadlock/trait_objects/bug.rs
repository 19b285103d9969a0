use std::sync::{Arc, Mutex};
use std::thread;

trait Sink: Send + Sync {
    fn receive(&self, text: &str);
}

#[derive(Default)]
struct Screen {
    lines: Mutex<Vec<String>>,
}

impl Sink for Screen {
    fn receive(&self, text: &str) {
        self.lines.lock().unwrap().push(text.to_uppercase()); //~ deadlock
    }
}

impl Screen {
    fn write(&self, text: &str, mirror: Arc<dyn Sink>) {
        let mut lines = self.lines.lock().unwrap();
        lines.push(text.to_string());
        mirror.receive(text);
    }
}

// Two screens mirror each other, and each writes to the other under its own lock.
fn main() {
    let (left, right) = (Arc::new(Screen::default()), Arc::new(Screen::default()));
    let writer = {
        let (left, right) = (left.clone(), right.clone());
        thread::spawn(move || left.write("hello", right))
    };
    right.write("good bye", left.clone());
    writer.join().unwrap();
    println!("{}", left.lines.lock().unwrap().len());
}
