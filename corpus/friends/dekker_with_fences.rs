use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, Ordering, fence};
use std::thread;

#[derive(Default)]
struct Section {
    wants: [AtomicBool; 2],
    entered: UnsafeCell<Vec<usize>>,
}

unsafe impl Sync for Section {}

impl Section {
    fn try_enter(&self, own: usize) -> bool {
        self.wants[own].store(true, Ordering::Relaxed);
        fence(Ordering::SeqCst);
        let alone = !self.wants[1 - own].load(Ordering::Relaxed);
        if alone {
            fence(Ordering::Acquire);
            unsafe { (*self.entered.get()).push(own) };
        }
        self.wants[own].store(false, Ordering::Release);
        alone
    }
}

// Of two threads that want to enter, at least one sees the other; one that enters acquires what the last one released.
fn main() {
    let section = Section::default();
    let entered: usize = thread::scope(|scope| {
        let threads = [0, 1].map(|own| {
            let section = &section;
            scope.spawn(move || (0..3).filter(|_| section.try_enter(own)).count())
        });
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    println!("{}", section.entered.into_inner().len() == entered);
}
