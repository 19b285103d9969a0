use std::io::{Read, Write, pipe};
use std::thread;

// `main` closes its clone of the writer before it reads to the end of the pipe.
fn main() {
    let (mut reader, writer) = pipe().unwrap();
    let mut second = writer.try_clone().unwrap();
    let thread = thread::spawn(move || {
        let mut writer = writer;
        writer.write_all(b"first\n").unwrap();
    });
    second.write_all(b"second\n").unwrap();
    drop(second);
    let mut text = String::new();
    reader.read_to_string(&mut text).unwrap();
    thread.join().unwrap();
    println!("{} bytes", text.len());
}
