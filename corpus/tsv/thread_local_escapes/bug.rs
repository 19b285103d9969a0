use std::cell::Cell;
use std::sync::mpsc;
use std::thread;

#[derive(Default)]
struct Counters {
    hits: Cell<u32>,
    misses: Cell<u32>,
}

thread_local! {
    static COUNTERS: Counters = Counters::default();
}

struct Watch(*const Counters);

unsafe impl Send for Watch {}

impl Watch {
    fn hits(&self) -> u32 {
        unsafe { (*self.0).hits.get() } //~ thread-safety-violation
    }
}

fn serve(n: u32) {
    COUNTERS.with(|counters| match n % 3 {
        0 => counters.hits.set(counters.hits.get() + 1), //~ thread-safety-violation
        _ => counters.misses.set(counters.misses.get() + 1),
    });
}

// The monitor reads the thread's own counters through a pointer while the thread counts.
fn main() {
    let (sender, watches) = mpsc::channel();
    let (stop, stopped) = mpsc::channel::<()>();
    let server = thread::spawn(move || {
        sender.send(COUNTERS.with(|counters| Watch(counters))).unwrap();
        (0..6).for_each(serve);
        _ = stopped.recv();
    });
    let watch = watches.recv().unwrap();
    println!("{}", watch.hits() < 10);
    drop(stop);
    server.join().unwrap();
}
