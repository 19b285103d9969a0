use std::cell::UnsafeCell;
use std::collections::VecDeque;
use std::sync::Mutex;
use std::thread;

struct Jobs {
    waiting: UnsafeCell<VecDeque<u32>>,
    lock: Mutex<()>,
}

unsafe impl Sync for Jobs {}

impl Jobs {
    fn submit(&self, job: u32) {
        let _held = self.lock.lock().unwrap();
        unsafe { (*self.waiting.get()).push_back(job) }
    }

    fn next(&self) -> Option<u32> {
        let _held = self.lock.lock().unwrap();
        unsafe { (*self.waiting.get()).pop_front() }
    }
}

// The queue between two threads has no lock.
fn main() {
    let jobs = Jobs { waiting: UnsafeCell::new(VecDeque::from([1, 2])), lock: Mutex::new(()) };
    thread::scope(|scope| {
        scope.spawn(|| jobs.submit(3));
        println!("{:?}", jobs.next());
    });
    println!("{}", jobs.waiting.into_inner().len());
}
