//! Connections that are made without waiting: one that works, one that is refused.
use mio::net::TcpStream;
use mio::{Events, Interest, Poll, Token};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::thread;
use std::time::Duration;

enum Outcome {
    Connected(TcpStream),
    Failed(io::Error),
}

/// As mio's documentation has it: writable, no error, and a peer.
fn connect(poll: &mut Poll, address: SocketAddr) -> io::Result<Outcome> {
    let mut stream = match TcpStream::connect(address) {
        Ok(stream) => stream,
        Err(error) => return Ok(Outcome::Failed(error)),
    };
    poll.registry().register(&mut stream, Token(9), Interest::WRITABLE)?;
    let mut events = Events::with_capacity(4);
    let outcome = loop {
        poll.poll(&mut events, Some(Duration::from_secs(5)))?;
        if events.is_empty() {
            break Outcome::Failed(ErrorKind::TimedOut.into());
        }
        if let Some(error) = stream.take_error()? {
            break Outcome::Failed(error);
        }
        match stream.peer_addr() {
            Ok(_) => break Outcome::Connected(stream),
            Err(error) if error.kind() == ErrorKind::NotConnected => {}
            Err(error) => break Outcome::Failed(error),
        }
    };
    Ok(match outcome {
        Outcome::Connected(mut stream) => {
            poll.registry().reregister(&mut stream, Token(10), Interest::READABLE)?;
            Outcome::Connected(stream)
        }
        failed => failed,
    })
}

fn main() -> io::Result<()> {
    let mut poll = Poll::new()?;
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    let server = thread::spawn(move || -> io::Result<()> {
        let (mut stream, _) = listener.accept()?;
        let mut byte = [0];
        stream.read_exact(&mut byte)?;
        stream.write_all(&[byte[0] + 1; 3])
    });
    let Outcome::Connected(mut stream) = connect(&mut poll, address)? else { panic!("refused") };
    println!("{} {:?}", stream.peer_addr()? == address, stream.nodelay()?);
    stream.write_all(&[41])?;
    let mut all = Vec::new();
    let mut events = Events::with_capacity(4);
    let ended = 'reading: loop {
        poll.poll(&mut events, Some(Duration::from_secs(5)))?;
        for event in &events {
            assert_eq!(event.token(), Token(10));
            loop {
                let mut buffer = [0; 2];
                match stream.read(&mut buffer) {
                    Ok(0) => break 'reading true,
                    Ok(count) => all.extend_from_slice(&buffer[..count]),
                    Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                    Err(error) => return Err(error),
                }
            }
        }
    };
    println!("{all:?} {ended}");
    server.join().unwrap()?;

    match connect(&mut poll, address)? {
        Outcome::Connected(_) => println!("connected?"),
        Outcome::Failed(error) => println!("{:?}", error.kind()),
    }
    Ok(())
}
