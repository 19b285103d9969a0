use std::cell::RefCell;
use std::sync::Mutex;
use std::thread;

static TOTALS: Mutex<Vec<u64>> = Mutex::new(Vec::new());

struct Buffer {
    counts: Vec<u64>,
}

impl Drop for Buffer {
    fn drop(&mut self) {
        TOTALS.lock().unwrap().extend(self.counts.drain(..));
    }
}

thread_local! {
    static BUFFER: RefCell<Buffer> = const { RefCell::new(Buffer { counts: Vec::new() }) };
}

fn count(n: u64) {
    BUFFER.with_borrow_mut(|buffer| buffer.counts.push(n));
}

fn collect(worker: thread::JoinHandle<()>) -> u64 {
    worker.join().unwrap();
    let totals = TOTALS.lock().unwrap();
    totals.iter().sum()
}

// The thread's buffer is flushed by a thread-local destructor, which runs before `join` returns.
fn main() {
    let worker = thread::spawn(|| {
        for n in 1..4 {
            count(n);
        }
    });
    println!("{}", collect(worker));
}
