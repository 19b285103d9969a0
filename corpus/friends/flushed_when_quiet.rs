use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// Writes what has come whenever nothing has come for a while, and at the end.
fn log_writer(lines: Receiver<String>, written: &Mutex<Vec<String>>) -> usize {
    let (mut pending, mut flushes) = (Vec::new(), 0);
    loop {
        match lines.recv_timeout(Duration::from_millis(10)) {
            Ok(line) => pending.push(line),
            Err(reason) => {
                if !pending.is_empty() {
                    flushes += 1;
                    written.lock().unwrap().append(&mut pending);
                }
                if reason == RecvTimeoutError::Disconnected {
                    return flushes;
                }
            }
        }
    }
}

// The loop has a limit for each wait and ends when the last sender is gone; the lock is not held while it waits.
fn main() {
    let written = Arc::new(Mutex::new(Vec::new()));
    let (sender, lines) = mpsc::channel();
    let writer = thread::spawn({
        let written = written.clone();
        move || log_writer(lines, &written)
    });
    let sources: Vec<_> = (0..2)
        .map(|id| {
            let sender = sender.clone();
            thread::spawn(move || {
                for step in 0..3 {
                    sender.send(format!("{id}.{step}")).unwrap();
                    thread::sleep(Duration::from_millis(8 * step));
                }
            })
        })
        .collect();
    drop(sender);
    for source in sources {
        source.join().unwrap();
    }
    println!("{}", (1..=6).contains(&writer.join().unwrap()));
    println!("{}", written.lock().unwrap().len());
}
