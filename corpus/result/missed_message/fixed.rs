//! A sender, and a receiver that looks once.

use std::{
    process::ExitCode,
    sync::mpsc,
    thread,
};

// The receiver waits for the message.
fn main() -> ExitCode {
    let (sender, receiver) = mpsc::channel();
    let other = thread::spawn(move || sender.send(1).is_ok());
    let is_there = receiver.recv().is_ok();
    other.join().unwrap();
    if !is_there {
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
