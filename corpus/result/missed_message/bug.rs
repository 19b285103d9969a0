//! A sender, and a receiver that looks once.

use std::{
    process::ExitCode,
    sync::mpsc,
    thread,
};

// The message may come after the receiver has looked.
fn main() -> ExitCode {
    let (sender, receiver) = mpsc::channel();
    let other = thread::spawn(move || sender.send(1).is_ok());
    let is_there = receiver.try_recv().is_ok();
    other.join().unwrap();
    if !is_there {
        return ExitCode::FAILURE; //~ schedule-dependent-result
    }
    ExitCode::SUCCESS
}
