use std::panic;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

#[derive(Default)]
struct Journal {
    lines: Mutex<Vec<String>>,
}

impl Journal {
    fn lines(&self) -> MutexGuard<'_, Vec<String>> {
        match self.lines.lock() {
            Ok(lines) => lines,
            Err(poisoned) => {
                self.repair(); // while `poisoned` has the guard
                poisoned.into_inner()
            }
        }
    }

    fn repair(&self) {
        self.lines.clear_poison();
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).retain(|line| !line.is_empty()); //~ deadlock
    }

    fn write(&self, line: &str) {
        let mut lines = self.lines();
        lines.push(String::new());
        lines.last_mut().unwrap().push_str(line.trim());
        assert!(line.len() < 20, "line too long");
    }
}

// The error of a poisoned lock contains the guard, so that the repair locks twice.
fn main() {
    panic::set_hook(Box::new(|_| ()));
    let journal = Arc::new(Journal::default());
    let writer = {
        let journal = journal.clone();
        thread::spawn(move || journal.write("a line that is far too long for this journal"))
    };
    _ = writer.join();
    journal.write("short");
    println!("{}", journal.lines().len() > 0);
    journal.repair();
}
