use std::sync::{Arc, Condvar, Mutex};
use std::thread;

#[derive(Default)]
struct Lines {
    waiting: Mutex<Vec<u32>>,
    arrived: Condvar,
}

impl Lines {
    fn produce(&self, inputs: [&str; 2]) {
        for input in inputs {
            let line = input.parse().unwrap_or(0);
            self.waiting.lock().unwrap().push(line);
            self.arrived.notify_one();
        }
    }

    fn next(&self) -> Option<u32> {
        let waiting = self.waiting.lock().unwrap();
        self.arrived.wait_while(waiting, |waiting| waiting.is_empty()).unwrap().pop()
    }
}

// The producer panics at the second line, outside the lock, and the consumer waits for that line.
fn main() {
    let lines = Arc::new(Lines::default());
    let producer = {
        let lines = lines.clone();
        thread::spawn(move || lines.produce(["12", "x"]))
    };
    println!("{:?} {:?}", lines.next(), lines.next());
    producer.join().unwrap();
}
