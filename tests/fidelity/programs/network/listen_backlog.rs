//! Connections wait in the listener's queue, with what was sent, until they are accepted in their order.
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};

fn main() -> std::io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    let mut clients = Vec::new();
    for name in ["first", "second", "third", "fourth"] {
        let mut stream = TcpStream::connect(address)?;
        stream.write_all(name.as_bytes())?;
        clients.push((name, stream));
    }
    // One gives up before it was served.
    clients.remove(1);
    let mut accepted = Vec::new();
    for _ in 0..4 {
        let (mut stream, peer) = listener.accept()?;
        let mut buffer = [0; 16];
        let count = stream.read(&mut buffer)?;
        let known = clients.iter().any(|(_, client)| client.local_addr().is_ok_and(|it| it == peer));
        println!("{} (still there: {known})", String::from_utf8_lossy(&buffer[..count]));
        accepted.push(stream);
    }
    println!("second: {:?}", accepted[1].read(&mut [0; 4])?);
    for (stream, (name, client)) in [0, 2, 3].map(|at| &accepted[at]).iter_mut().zip(&mut clients) {
        write!(stream, "hello {name}")?;
        let mut buffer = [0; 32];
        let count = client.read(&mut buffer)?;
        println!("{}", String::from_utf8_lossy(&buffer[..count]));
    }
    Ok(())
}
