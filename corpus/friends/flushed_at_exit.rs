use std::cell::RefCell;
use std::sync::Mutex;
use std::thread;

static SINK: Mutex<Vec<u32>> = Mutex::new(Vec::new());

struct Local(RefCell<Vec<u32>>);

impl Local {
    fn flush(&self) {
        let mut buffer = self.0.borrow_mut();
        SINK.lock().unwrap().append(&mut buffer);
    }
}

impl Drop for Local {
    fn drop(&mut self) {
        self.flush();
    }
}

thread_local!(static LOCAL: Local = Local(RefCell::default()));

fn record(n: u32) {
    LOCAL.with(|local| {
        local.0.borrow_mut().push(n);
        if local.0.borrow().len() == 2 {
            local.flush();
        }
    });
}

// What is left in a thread's buffer is flushed by its destructor, before `join` returns.
fn main() {
    let writers: Vec<_> = (0..2).map(|n| thread::spawn(move || (0..3).for_each(|m| record(n * 10 + m)))).collect();
    for writer in writers {
        writer.join().unwrap();
    }
    let sink = SINK.lock().unwrap();
    println!("{} {}", sink.len(), sink.iter().sum::<u32>());
}
