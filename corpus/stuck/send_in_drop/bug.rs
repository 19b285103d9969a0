use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

struct Span {
    finished: SyncSender<&'static str>,
    name: &'static str,
}

impl Drop for Span {
    fn drop(&mut self) {
        self.finished.send(self.name).unwrap(); //~ deadlock
    }
}

// Destructors report to a bounded channel that is read only after all of them.
fn main() {
    let (finished, spans) = sync_channel(1);
    let worker = {
        let finished = finished.clone();
        thread::spawn(move || drop(Span { finished, name: "worker" }))
    };
    worker.join().unwrap();
    drop(Span { finished, name: "main" });
    println!("{}", spans.iter().count() > 0);
}
