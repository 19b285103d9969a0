use std::collections::BinaryHeap;
use std::thread;

#[derive(Default)]
struct Agenda {
    due: BinaryHeap<u32>,
}

struct Shared(*mut Agenda);

unsafe impl Sync for Shared {}

impl Shared {
    fn add(&self, time: u32) {
        unsafe { (*self.0).due.push(time) } //~ thread-safety-violation
    }

    fn latest(&self) -> Option<u32> {
        unsafe { (*self.0).due.peek().copied() } //~ thread-safety-violation
    }
}

// A raw pointer shares a heap that one thread pushes to and another one looks at.
fn main() {
    let mut agenda = Agenda { due: BinaryHeap::from([3]) };
    let shared = Shared(&raw mut agenda);
    thread::scope(|scope| {
        scope.spawn(|| shared.add(1));
        println!("{}", shared.latest() >= Some(1));
    });
}
