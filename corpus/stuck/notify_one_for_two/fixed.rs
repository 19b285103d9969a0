use std::sync::{Arc, Condvar, Mutex};
use std::thread;

#[derive(Default)]
struct StartSignal {
    given: Mutex<bool>,
    changed: Condvar,
}

impl StartSignal {
    fn wait(&self) {
        let mut given = self.given.lock().unwrap();
        while !*given {
            given = self.changed.wait(given).unwrap();
        }
    }

    fn give(&self) {
        *self.given.lock().unwrap() = true;
        self.changed.notify_all();
    }
}

// Two runners may be waiting, but only one of them is notified.
fn main() {
    let signal = Arc::new(StartSignal::default());
    let runners: Vec<_> = (0..2)
        .map(|_| {
            let signal = signal.clone();
            thread::spawn(move || signal.wait())
        })
        .collect();
    signal.give();
    for runner in runners {
        runner.join().unwrap();
    }
    println!("finished");
}
