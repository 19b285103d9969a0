//! Datagrams keep their borders: short buffers cut them, empty ones arrive, and looking does not take them.
use std::net::UdpSocket;

fn main() -> std::io::Result<()> {
    let receiver = UdpSocket::bind("127.0.0.1:0")?;
    let sender = UdpSocket::bind("127.0.0.1:0")?;
    let to = receiver.local_addr()?;
    let mut buffer = [b'.'; 12];

    sender.send_to(b"a rather long datagram", to)?;
    sender.send_to(b"short", to)?;
    println!("{}", receiver.recv(&mut buffer)?);
    println!("{}", String::from_utf8_lossy(&buffer));
    println!("{}", receiver.recv(&mut buffer)?);
    println!("{}", String::from_utf8_lossy(&buffer));

    println!("{}", sender.send_to(b"", to)?);
    println!("{}", sender.send_to(b"after the empty one", to)?);
    println!("{}", receiver.recv(&mut buffer)?);
    println!("{}", receiver.peek(&mut buffer[..5])?);
    let (count, from) = receiver.peek_from(&mut buffer)?;
    println!("{count} {} {}", String::from_utf8_lossy(&buffer), from == sender.local_addr()?);
    let mut all = [0; 64];
    let count = receiver.recv(&mut all)?;
    println!("{}", String::from_utf8_lossy(&all[..count]));

    let big = vec![7; 60_000];
    println!("{}", sender.send_to(&big, to)?);
    let mut whole = vec![0; 65_536];
    println!("{}", receiver.recv(&mut whole)?);
    println!("{}", whole[..60_000] == big[..]);
    let too_big = vec![7; 70_000];
    println!("{:?}", sender.send_to(&too_big, to).map_err(|error| error.raw_os_error()));
    Ok(())
}
