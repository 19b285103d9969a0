//! Reads that give up after a while, and the timeouts asked back.
use std::io::{ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

fn main() -> std::io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let mut client = TcpStream::connect(listener.local_addr()?)?;
    let (mut server, _) = listener.accept()?;
    println!("{:?} {:?}", client.read_timeout()?, client.write_timeout()?);

    client.set_read_timeout(Some(Duration::from_millis(20)))?;
    client.set_write_timeout(Some(Duration::from_secs(3)))?;
    println!("{:?} {:?}", client.read_timeout()?, client.write_timeout()?);

    let start = Instant::now();
    let mut buffer = [0; 8];
    let error = client.read(&mut buffer).unwrap_err();
    println!("{:?} {}", error.kind(), matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut));
    println!("waited: {}", start.elapsed() >= Duration::from_millis(20));

    // What is there is read at once.
    server.write_all(b"ready")?;
    let count = client.read(&mut buffer)?;
    println!("{:?}", std::str::from_utf8(&buffer[..count]));
    println!("{:?}", client.read(&mut buffer).map_err(|error| error.kind()));

    client.set_read_timeout(None)?;
    println!("{:?}", client.read_timeout()?);
    println!("{:?}", client.set_read_timeout(Some(Duration::ZERO)).map_err(|error| error.kind()));
    let twin = client.try_clone()?;
    twin.set_read_timeout(Some(Duration::from_millis(1500)))?;
    println!("{:?}", client.read_timeout()?);
    drop(server);
    println!("{:?}", client.read(&mut buffer));
    Ok(())
}
