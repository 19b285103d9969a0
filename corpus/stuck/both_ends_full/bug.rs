use std::io::{Read, Write, pipe};
use std::sync::{Arc, Mutex};
use std::thread;

// The writer holds the lock of the log while the pipe is full, and the reader wants to log before it reads on.
fn main() {
    let (mut reader, mut writer) = pipe().unwrap();
    let log = Arc::new(Mutex::new(Vec::new()));
    let own = log.clone();
    let thread = thread::spawn(move || {
        let mut log = own.lock().unwrap();
        writer.write_all(&[7; 100_000]).unwrap(); //~ deadlock
        log.push("written");
    });
    let mut first = [0];
    reader.read_exact(&mut first).unwrap();
    log.lock().unwrap().push("reading"); //~ deadlock
    let mut rest = Vec::new();
    reader.read_to_end(&mut rest).unwrap();
    thread.join().unwrap();
    println!("{} bytes", 1 + rest.len());
}
