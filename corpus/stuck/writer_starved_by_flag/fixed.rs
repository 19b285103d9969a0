use std::sync::{Arc, Condvar, Mutex};
use std::thread;

#[derive(Default)]
struct State {
    readers: u32,
    writer: bool,
    writers_waiting: u32,
}

#[derive(Default)]
struct PreferWriters {
    state: Mutex<State>,
    changed: Condvar,
}

impl PreferWriters {
    fn read(&self) {
        let state = self.state.lock().unwrap();
        let mut state = self.changed.wait_while(state, |it| it.writer || it.writers_waiting > 0).unwrap();
        state.readers += 1;
    }

    fn done_reading(&self) {
        self.state.lock().unwrap().readers -= 1;
        self.changed.notify_all();
    }

    fn try_write(&self) -> bool {
        let mut state = self.state.lock().unwrap();
        state.writers_waiting += 1;
        if state.readers > 0 {
            state.writers_waiting -= 1;
            self.changed.notify_all();
            return false;
        }
        state.writers_waiting -= 1;
        state.writer = true;
        true
    }

    fn done_writing(&self) {
        self.state.lock().unwrap().writer = false;
        self.changed.notify_all();
    }
}

// A writer that gives up still counts as waiting, and keeps all later readers out.
fn main() {
    let lock = Arc::new(PreferWriters::default());
    let writer = {
        let lock = lock.clone();
        thread::spawn(move || {
            let got = lock.try_write();
            if got {
                lock.done_writing();
            }
            got
        })
    };
    for _ in 0..2 {
        lock.read();
        lock.done_reading();
    }
    println!("{}", writer.join().is_ok());
}
