//! What writers and readers hear when the other end has gone, quietly or not.
use std::io::{ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

fn connected(listener: &TcpListener) -> (TcpStream, TcpStream) {
    let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    (client, listener.accept().unwrap().0)
}

/// Writes until it fails.
fn write_until(stream: &mut TcpStream) -> ErrorKind {
    for _ in 0..1000 {
        if let Err(error) = stream.write(b"are you there?") {
            return error.kind();
        }
        thread::sleep(Duration::from_micros(100));
    }
    panic!("it never failed");
}

fn main() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();

    // Closed after everything was read: the end can be read, writing fails sooner or later.
    let (mut client, server) = connected(&listener);
    drop(server);
    println!("{:?}", client.read(&mut [0; 4]));
    println!("{:?}", write_until(&mut client));
    println!("{:?}", client.write(b"again").map_err(|error| error.kind()));
    println!("{:?}", client.read(&mut [0; 4]));

    // Closed with something unread: the connection is reset.
    let (mut client, server) = connected(&listener);
    client.write_all(b"nobody reads this").unwrap();
    while server.peek(&mut [0; 32]).unwrap() < 17 {}
    drop(server);
    println!("{:?}", client.read(&mut [0; 4]).map_err(|error| error.kind()));
    println!("{:?}", client.read(&mut [0; 4]));
    println!("{:?}", client.write(b"x").map_err(|error| error.kind()));

    // A client that was never accepted.
    let mut waiting = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    drop(listener);
    println!("{:?}", waiting.read(&mut [0; 4]).map_err(|error| error.kind()));
}
