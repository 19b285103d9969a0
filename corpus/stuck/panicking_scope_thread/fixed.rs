use std::panic;
use std::sync::Barrier;
use std::sync::mpsc::{self, Sender};
use std::thread;

struct Progress<'a> {
    start: &'a Barrier,
    done: Sender<Result<u32, String>>,
}

fn parse(text: &str) -> u32 {
    text.parse().expect("a number")
}

fn work(progress: Progress<'_>, text: &str) {
    let value = panic::catch_unwind(|| parse(text)).map_err(|_| format!("{text:?} is no number"));
    progress.start.wait();
    progress.done.send(value).unwrap();
}

// A worker that panics before the barrier leaves the others there, and the scope waits for them.
fn main() {
    panic::set_hook(Box::new(|_| ()));
    let start = Barrier::new(2);
    let (done, results) = mpsc::channel();
    thread::scope(|scope| {
        for text in ["12", "twelve"] {
            let progress = Progress { start: &start, done: done.clone() };
            scope.spawn(move || work(progress, text));
        }
    });
    drop(done);
    println!("{}", results.iter().filter(|result| result.is_ok()).count());
}
