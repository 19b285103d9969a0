//! Two threads share one connection: one reads what the other does not have to wait for.
use std::io::{BufRead, BufReader, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::mpsc;
use std::thread;

fn main() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let server = thread::spawn(move || {
        let (stream, _) = listener.accept().unwrap();
        let mut out = stream.try_clone().unwrap();
        let mut words = 0;
        for line in BufReader::new(stream).lines() {
            let line = line.unwrap();
            words += line.split_whitespace().count();
            writeln!(out, "{} words so far", words).unwrap();
        }
        writeln!(out, "bye").unwrap();
    });

    let stream = TcpStream::connect(address).unwrap();
    let (sender, received) = mpsc::channel();
    let reading = stream.try_clone().unwrap();
    let reader = thread::Builder::new()
        .name("reader".into())
        .spawn(move || {
            for line in BufReader::new(reading).lines().map_while(Result::ok) {
                sender.send(line).unwrap();
            }
        })
        .unwrap();
    let writer = thread::spawn(move || {
        let mut stream = stream;
        for line in ["the quick brown fox", "jumps over", "", "the lazy dog"] {
            writeln!(stream, "{line}").unwrap();
        }
        // The reader has a clone, so dropping would not close it.
        stream.shutdown(Shutdown::Write).unwrap();
    });
    for line in received {
        println!("{line}");
    }
    writer.join().unwrap();
    reader.join().unwrap();
    server.join().unwrap();
}
