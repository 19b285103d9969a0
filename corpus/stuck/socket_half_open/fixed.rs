use std::io::{Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::thread;

fn sum(mut stream: UnixStream) {
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    let sum: u32 = text.lines().map(|line| line.parse::<u32>().unwrap()).sum();
    writeln!(stream, "{sum}").unwrap();
}

// The client closes its direction before it reads the answer.
fn main() {
    let (mut client, server) = UnixStream::pair().unwrap();
    let thread = thread::spawn(move || sum(server));
    client.write_all(b"1\n2\n3\n").unwrap();
    client.shutdown(Shutdown::Write).unwrap();
    let mut answer = String::new();
    client.read_to_string(&mut answer).unwrap();
    thread.join().unwrap();
    println!("{}", answer.trim());
}
