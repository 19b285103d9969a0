use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

// The waiter has no time limit, but the other end is closed after a while at the latest.
fn main() {
    let (mut own, mut other) = UnixStream::pair().unwrap();
    let done = Arc::new(AtomicBool::new(false));
    let seen = done.clone();
    let thread = thread::spawn(move || {
        thread::sleep(Duration::from_millis(50));
        done.store(true, Ordering::Release);
        other.write_all(b"!").unwrap();
    });
    let mut bytes = Vec::new();
    own.read_to_end(&mut bytes).unwrap();
    assert!(seen.load(Ordering::Acquire));
    thread.join().unwrap();
    println!("{}", bytes.len());
}
