use std::sync::{Arc, Condvar, Mutex};
use std::thread;

#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Stage {
    New,
    Loaded,
    Checked,
}

struct Document {
    stage: Mutex<Stage>,
    advanced: Condvar,
}

impl Document {
    fn advance(&self, to: Stage) {
        let mut stage = self.stage.lock().unwrap();
        let changed = *stage < to;
        if changed {
            *stage = to;
        }
        drop(stage);
        if changed {
            self.advanced.notify_all();
        }
    }

    fn wait_for(&self, wanted: Stage) {
        let mut stage = self.stage.lock().unwrap();
        while *stage < wanted {
            stage = self.advanced.wait(stage).unwrap();
        }
    }
}

// The notification comes after the lock was let go, but what it tells of was changed under it.
fn main() {
    let document = Arc::new(Document { stage: Mutex::new(Stage::New), advanced: Condvar::new() });
    let checker = thread::spawn({
        let document = document.clone();
        move || {
            document.wait_for(Stage::Loaded);
            document.advance(Stage::Checked);
        }
    });
    let reader = thread::spawn({
        let document = document.clone();
        move || document.wait_for(Stage::Checked)
    });
    document.advance(Stage::Loaded);
    document.wait_for(Stage::Loaded);
    checker.join().unwrap();
    reader.join().unwrap();
    println!("checked");
}
