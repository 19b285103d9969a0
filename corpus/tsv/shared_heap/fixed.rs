use std::collections::BinaryHeap;
use std::sync::Mutex;
use std::thread;

#[derive(Default)]
struct Agenda {
    due: BinaryHeap<u32>,
}

struct Shared(Mutex<Agenda>);

impl Shared {
    fn add(&self, time: u32) {
        self.0.lock().unwrap().due.push(time)
    }

    fn latest(&self) -> Option<u32> {
        self.0.lock().unwrap().due.peek().copied()
    }
}

// A raw pointer shares a heap that one thread pushes to and another one looks at.
fn main() {
    let agenda = Agenda { due: BinaryHeap::from([3]) };
    let shared = Shared(Mutex::new(agenda));
    thread::scope(|scope| {
        scope.spawn(|| shared.add(1));
        println!("{}", shared.latest() >= Some(1));
    });
}
