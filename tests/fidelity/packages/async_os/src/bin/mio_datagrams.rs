//! Two datagram sockets and a pipe of sockets in one event loop.
use mio::net::{UdpSocket, UnixDatagram};
use mio::{Events, Interest, Poll, Token};
use std::collections::BTreeSet;
use std::io::{self, ErrorKind};
use std::thread;

const PING: Token = Token(0);
const PONG: Token = Token(1);
const CONTROL: Token = Token(2);

fn receive_all(mut next: impl FnMut(&mut [u8]) -> io::Result<usize>) -> io::Result<Vec<Vec<u8>>> {
    let mut found = Vec::new();
    loop {
        let mut buffer = [0; 64];
        match next(&mut buffer) {
            Ok(count) => found.push(buffer[..count].to_vec()),
            Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(found),
            Err(error) => return Err(error),
        }
    }
}

fn main() -> io::Result<()> {
    let mut poll = Poll::new()?;
    let mut events = Events::with_capacity(16);
    let any = "127.0.0.1:0".parse().unwrap();
    let (mut ping, mut pong) = (UdpSocket::bind(any)?, UdpSocket::bind(any)?);
    ping.connect(pong.local_addr()?)?;
    pong.connect(ping.local_addr()?)?;
    let (mut control, commands) = UnixDatagram::pair()?;
    poll.registry().register(&mut ping, PING, Interest::READABLE)?;
    poll.registry().register(&mut pong, PONG, Interest::READABLE)?;
    poll.registry().register(&mut control, CONTROL, Interest::READABLE)?;

    ping.send(&[1])?;
    let mut seen = Vec::new();
    let mut commands = Some(commands);
    let mut stopper = None;
    let mut tokens = BTreeSet::new();
    'events: loop {
        poll.poll(&mut events, None)?;
        for event in &events {
            tokens.insert(event.token());
            if event.token() == CONTROL {
                let received = receive_all(|buffer| control.recv(buffer))?;
                println!("{:?}", received.iter().map(|it| String::from_utf8_lossy(it)).collect::<Vec<_>>());
                break 'events;
            }
            let socket = if event.token() == PING { &ping } else { &pong };
            for datagram in receive_all(|buffer| socket.recv(buffer))? {
                let value = datagram[0];
                seen.push((event.token().0, value));
                if value < 8 {
                    socket.send(&[value + 1])?;
                } else if let Some(commands) = commands.take() {
                    // Another thread ends the loop.
                    stopper = Some(thread::spawn(move || commands.send(b"stop")));
                }
            }
        }
    }
    println!("{seen:?}");
    println!("{tokens:?}");
    println!("{:?}", stopper.expect("it was started").join().unwrap());
    Ok(())
}
