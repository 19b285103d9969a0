//! A server that gives back what it reads, and a client that compares.
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

fn serve(listener: TcpListener) -> std::io::Result<usize> {
    let (mut stream, _) = listener.accept()?;
    let mut buffer = [0; 64];
    let mut total = 0;
    loop {
        let count = stream.read(&mut buffer)?;
        if count == 0 {
            return Ok(total);
        }
        stream.write_all(&buffer[..count])?;
        total += count;
    }
}

fn main() -> std::io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    let server = thread::spawn(move || serve(listener));

    let mut client = TcpStream::connect(address)?;
    for message in ["hello", "a longer message with several words", "", "bye"] {
        client.write_all(message.as_bytes())?;
        let mut answer = vec![0; message.len()];
        client.read_exact(&mut answer)?;
        println!("{message:?} -> {:?}", String::from_utf8_lossy(&answer));
    }
    drop(client);
    println!("the server read {} bytes", server.join().unwrap()?);
    Ok(())
}
