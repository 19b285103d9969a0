use std::cell::UnsafeCell;
use std::sync::Arc;
use std::thread;

#[derive(Clone, Copy, Default)]
struct NoMetrics;

trait Recorder: Default + Copy {
    fn recorded(self, amount: u64) -> Self;
}

impl Recorder for NoMetrics {
    fn recorded(self, _amount: u64) -> Self {
        self
    }
}

struct Engine<R> {
    recorder: UnsafeCell<R>,
    size: u64,
}

unsafe impl Sync for Engine<NoMetrics> {}

impl<R: Recorder> Engine<R> {
    fn run(&self, amount: u64) -> u64 {
        unsafe { *self.recorder.get() = (*self.recorder.get()).recorded(amount) };
        amount * self.size
    }
}

// The recorder that both threads overwrite has no content, so there is no memory to race for.
fn main() {
    let engine = Arc::new(Engine { recorder: UnsafeCell::new(NoMetrics), size: 3 });
    let other = Arc::clone(&engine);
    let thread = thread::spawn(move || other.run(2));
    println!("{}", engine.run(5) + thread.join().unwrap());
}
