//! An event loop that serves several connections of other threads.
use mio::net::{TcpListener, TcpStream};
use mio::{Events, Interest, Poll, Token};
use std::collections::HashMap;
use std::io::{self, ErrorKind, Read, Write};
use std::thread;

const SERVER: Token = Token(0);

struct Connection {
    stream: TcpStream,
    unsent: Vec<u8>,
}

impl Connection {
    /// Whether the peer has closed.
    fn read(&mut self) -> io::Result<bool> {
        let mut buffer = [0; 16];
        loop {
            match self.stream.read(&mut buffer) {
                Ok(0) => return Ok(true),
                Ok(count) => self.unsent.extend(buffer[..count].iter().map(u8::to_ascii_uppercase)),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(false),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn write(&mut self) -> io::Result<()> {
        while !self.unsent.is_empty() {
            match self.stream.write(&self.unsent) {
                Ok(count) => drop(self.unsent.drain(..count)),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

fn main() -> io::Result<()> {
    let mut poll = Poll::new()?;
    let mut events = Events::with_capacity(8);
    let mut listener = TcpListener::bind("127.0.0.1:0".parse().unwrap())?;
    let address = listener.local_addr()?;
    poll.registry().register(&mut listener, SERVER, Interest::READABLE)?;

    let clients: Vec<_> = ["first client", "second", "the third one says more than fits into one buffer"]
        .map(|text| {
            thread::spawn(move || -> io::Result<String> {
                let mut stream = std::net::TcpStream::connect(address)?;
                stream.write_all(text.as_bytes())?;
                stream.shutdown(std::net::Shutdown::Write)?;
                let mut answer = String::new();
                stream.read_to_string(&mut answer)?;
                Ok(answer)
            })
        })
        .into();

    let mut connections = HashMap::new();
    let (mut next, mut finished) = (1, 0);
    while finished < clients.len() {
        poll.poll(&mut events, None)?;
        for event in &events {
            if event.token() == SERVER {
                loop {
                    match listener.accept() {
                        Ok((mut stream, _)) => {
                            let token = Token(next);
                            next += 1;
                            poll.registry().register(&mut stream, token, Interest::READABLE | Interest::WRITABLE)?;
                            connections.insert(token, Connection { stream, unsent: Vec::new() });
                        }
                        Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                        Err(error) => return Err(error),
                    }
                }
            } else if let Some(connection) = connections.get_mut(&event.token()) {
                let ended = connection.read()?;
                connection.write()?;
                if ended && connection.unsent.is_empty() {
                    let mut gone = connections.remove(&event.token()).unwrap();
                    poll.registry().deregister(&mut gone.stream)?;
                    finished += 1;
                }
            }
        }
    }
    for client in clients {
        println!("{:?}", client.join().unwrap()?);
    }
    println!("{} left, {} tokens", connections.len(), next - 1);
    Ok(())
}
