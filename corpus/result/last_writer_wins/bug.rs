//! Two workers that write the state of a job, and a status that is that of the last one.

use std::{
    process::ExitCode,
    sync::{Arc, Mutex},
    thread,
};

#[derive(Clone, Copy, PartialEq)]
enum State {
    Running,
    Done,
}

// The progress of one worker overwrites the end that the other one has noted.
fn main() -> ExitCode {
    let state = Arc::new(Mutex::new(State::Running));
    let of_progress = Arc::clone(&state);
    let progress = thread::spawn(move || *of_progress.lock().unwrap() = State::Running);
    let of_end = Arc::clone(&state);
    let end = thread::spawn(move || *of_end.lock().unwrap() = State::Done);
    progress.join().unwrap();
    end.join().unwrap();
    let is_done = *state.lock().unwrap() == State::Done;
    if is_done { ExitCode::SUCCESS } else { ExitCode::from(3) }
} //~ schedule-dependent-result
