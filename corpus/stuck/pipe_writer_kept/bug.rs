use std::io::{Read, Write, pipe};
use std::thread;

// `main` reads to the end of the pipe while it keeps a clone of the writer, so that there is no end.
fn main() {
    let (mut reader, writer) = pipe().unwrap();
    let mut second = writer.try_clone().unwrap();
    let thread = thread::spawn(move || {
        let mut writer = writer;
        writer.write_all(b"first\n").unwrap();
    });
    second.write_all(b"second\n").unwrap();
    let mut text = String::new();
    reader.read_to_string(&mut text).unwrap(); //~ deadlock
    thread.join().unwrap();
    drop(second);
    println!("{} bytes", text.len());
}
