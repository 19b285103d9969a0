use std::cell::UnsafeCell;
use std::collections::VecDeque;
use std::thread;

struct Jobs {
    waiting: UnsafeCell<VecDeque<u32>>,
}

unsafe impl Sync for Jobs {}

impl Jobs {
    fn submit(&self, job: u32) {
        unsafe { (*self.waiting.get()).push_back(job) } //~ thread-safety-violation
    }

    fn next(&self) -> Option<u32> {
        unsafe { (*self.waiting.get()).pop_front() } //~ thread-safety-violation
    }
}

// The queue between two threads has no lock.
fn main() {
    let jobs = Jobs { waiting: UnsafeCell::new(VecDeque::from([1, 2])) };
    thread::scope(|scope| {
        scope.spawn(|| jobs.submit(3));
        println!("{:?}", jobs.next());
    });
    println!("{}", jobs.waiting.into_inner().len());
}
