use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::thread;

fn sum(mut stream: UnixStream) {
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap(); //~ deadlock
    let sum: u32 = text.lines().map(|line| line.parse::<u32>().unwrap()).sum();
    writeln!(stream, "{sum}").unwrap();
}

// Each end reads until the other one has closed its direction, which neither does before it has read.
fn main() {
    let (mut client, server) = UnixStream::pair().unwrap();
    let thread = thread::spawn(move || sum(server));
    client.write_all(b"1\n2\n3\n").unwrap();
    let mut answer = String::new();
    client.read_to_string(&mut answer).unwrap(); //~ deadlock
    thread.join().unwrap();
    println!("{}", answer.trim());
}
