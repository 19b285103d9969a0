//! Datagram sockets that do not block, or not for long.
use std::io;
use std::net::UdpSocket;
use std::time::{Duration, Instant};

fn drain(socket: &UdpSocket) -> io::Result<Vec<String>> {
    let mut found = Vec::new();
    let mut buffer = [0; 64];
    loop {
        match socket.recv_from(&mut buffer) {
            Ok((count, _)) => found.push(String::from_utf8_lossy(&buffer[..count]).into_owned()),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(found),
            Err(error) => return Err(error),
        }
    }
}

fn main() -> io::Result<()> {
    let socket = UdpSocket::bind(("localhost", 0))?;
    let to = socket.local_addr()?;
    socket.set_nonblocking(true)?;
    println!("{:?}", drain(&socket)?);
    let sender = UdpSocket::bind("127.0.0.1:0")?;
    for number in 1..=4 {
        sender.send_to(format!("datagram {number}").as_bytes(), to)?;
    }
    println!("{:?}", drain(&socket)?);
    socket.send_to(b"to myself", to)?;
    println!("{:?}", drain(&socket)?);

    socket.set_nonblocking(false)?;
    socket.set_read_timeout(Some(Duration::from_millis(20)))?;
    println!("{:?}", socket.read_timeout()?);
    let start = Instant::now();
    println!("{:?}", drain(&socket)?);
    println!("{}", start.elapsed() >= Duration::from_millis(20));
    let twin = socket.try_clone()?;
    sender.send_to(b"for either", to)?;
    println!("{:?} {:?}", drain(&twin)?, drain(&socket)?);
    Ok(())
}
