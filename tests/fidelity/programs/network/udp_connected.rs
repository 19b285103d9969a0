//! A connected datagram socket hears its peer only.
use std::io::ErrorKind;
use std::net::UdpSocket;
use std::time::Duration;

fn main() -> std::io::Result<()> {
    let mut buffer = [0; 32];
    let server = UdpSocket::bind("127.0.0.1:0")?;
    let client = UdpSocket::bind("127.0.0.1:0")?;
    let stranger = UdpSocket::bind("127.0.0.1:0")?;
    println!("{:?}", client.send(b"to nobody").map_err(|error| error.kind()));
    client.connect(server.local_addr()?)?;
    client.set_read_timeout(Some(Duration::from_millis(10)))?;

    stranger.send_to(b"spam", client.local_addr()?)?;
    println!("{:?}", client.recv(&mut buffer).map_err(|error| error.kind()));

    println!("{}", client.send(b"hello")?);
    let (count, from) = server.recv_from(&mut buffer)?;
    println!("{:?} {}", std::str::from_utf8(&buffer[..count]).unwrap(), from == client.local_addr()?);
    server.send_to(b"welcome", from)?;
    println!("{}", client.recv(&mut buffer)?);
    println!("{:?}", std::str::from_utf8(&buffer[..7]).unwrap());

    // Nobody is there any more: the second call hears of it.
    drop(server);
    println!("{:?}", client.send(b"are you there?"));
    let error = client.recv(&mut buffer).unwrap_err();
    println!("{:?}", error.kind());
    println!("{}", matches!(client.recv(&mut buffer), Err(error) if error.kind() == ErrorKind::WouldBlock));

    // Connecting anew changes the peer.
    client.connect(stranger.local_addr()?)?;
    stranger.send_to(b"friend now", client.local_addr()?)?;
    let count = client.recv(&mut buffer)?;
    println!("{:?}", std::str::from_utf8(&buffer[..count]).unwrap());
    Ok(())
}
