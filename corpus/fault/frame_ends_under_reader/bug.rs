//! A worker shows its progress, which `main` prints.

use std::{sync::Mutex, thread};

struct Progress(Option<*const u32>);

unsafe impl Send for Progress {}

static PROGRESS: Mutex<Progress> = Mutex::new(Progress(None));

fn work(percent: u32) {
    PROGRESS.lock().unwrap().0 = Some(&percent);
}

// The worker returns while the pointer to its local is still there.
fn main() {
    let worker = thread::spawn(|| work(10));
    let progress = PROGRESS.lock().unwrap();
    let shown = progress.0.map_or(0, |it| unsafe { *it }); //~ schedule-dependent-fault
    drop(progress);
    assert!(shown <= 10);
    worker.join().unwrap();
}
