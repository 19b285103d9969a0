use std::io::{Read, Write, pipe};
use std::sync::{Arc, Mutex};
use std::thread;

// The writer takes the lock of the log after it has written.
fn main() {
    let (mut reader, mut writer) = pipe().unwrap();
    let log = Arc::new(Mutex::new(Vec::new()));
    let own = log.clone();
    let thread = thread::spawn(move || {
        writer.write_all(&[7; 100_000]).unwrap();
        own.lock().unwrap().push("written");
    });
    let mut first = [0];
    reader.read_exact(&mut first).unwrap();
    log.lock().unwrap().push("reading");
    let mut rest = Vec::new();
    reader.read_to_end(&mut rest).unwrap();
    thread.join().unwrap();
    println!("{} bytes", 1 + rest.len());
}
