//! A wait with a time limit that is far longer than the work.

use std::{process::ExitCode, sync::mpsc, thread, time::Duration};

// The message comes within the limit: the sender needs none of that time.
fn main() -> ExitCode {
    let (sender, receiver) = mpsc::channel();
    let worker = thread::spawn(move || {
        thread::sleep(Duration::from_millis(10));
        sender.send(1).is_ok()
    });
    let is_there = receiver.recv_timeout(Duration::from_secs(10)).is_ok();
    worker.join().unwrap();
    if is_there { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
