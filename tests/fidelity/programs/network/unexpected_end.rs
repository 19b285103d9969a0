//! A peer that closes in the middle of a record.
use std::fmt;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

#[derive(Debug)]
enum Failure {
    NoHeader,
    Cut { expected: usize },
    Other(io::Error),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::NoHeader => f.write_str("the peer closed before the header"),
            Failure::Cut { expected } => write!(f, "the peer closed within {expected} bytes"),
            Failure::Other(error) => write!(f, "{error}"),
        }
    }
}

fn receive(stream: &mut TcpStream) -> Result<String, Failure> {
    let mut header = [0; 2];
    stream.read_exact(&mut header).map_err(|error| match error.kind() {
        ErrorKind::UnexpectedEof => Failure::NoHeader,
        _ => Failure::Other(error),
    })?;
    let expected = usize::from(u16::from_be_bytes(header));
    let mut body = vec![0; expected];
    match stream.read_exact(&mut body) {
        Ok(()) => Ok(String::from_utf8_lossy(&body).into_owned()),
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => Err(Failure::Cut { expected }),
        Err(error) => Err(Failure::Other(error)),
    }
}

fn main() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let messages: [&[u8]; 5] = [b"\0\x03abc", b"", b"\0", b"\0\x09nine", b"\0\0"];
    let sender = thread::spawn(move || {
        for message in messages {
            TcpStream::connect(address).unwrap().write_all(message).unwrap();
        }
    });
    for _ in messages {
        let (mut stream, _) = listener.accept().unwrap();
        match receive(&mut stream) {
            Ok(text) => println!("{text:?}"),
            Err(failure) => println!("{failure}"),
        }
    }
    sender.join().unwrap();
    let error = io::Cursor::new(b"ab").read_exact(&mut [0; 3]).unwrap_err();
    println!("{error:?}");
}
