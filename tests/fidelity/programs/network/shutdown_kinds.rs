//! What reads and writes say after each kind of shutdown.
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};

fn connected() -> (TcpStream, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    (client, listener.accept().unwrap().0)
}

fn main() {
    let mut byte = [0; 1];
    {
        let (mut left, mut right) = connected();
        left.shutdown(Shutdown::Write).unwrap();
        println!("write after shutdown: {:?}", left.write(b"x").map_err(|error| error.kind()));
        println!("other end reads: {:?}", right.read(&mut byte));
        println!("other end writes: {:?}", right.write(b"y"));
        println!("still reads: {:?} {:?}", left.read(&mut byte), byte[0] as char);
        println!("once more: {:?}", left.shutdown(Shutdown::Write).map_err(|error| error.kind()));
    }
    {
        let (mut left, mut right) = connected();
        left.shutdown(Shutdown::Read).unwrap();
        println!("read after shutdown: {:?}", left.read(&mut byte));
        println!("still writes: {:?}", left.write(b"z"));
        println!("other end reads: {:?} {:?}", right.read(&mut byte), byte[0] as char);
    }
    {
        let (mut left, mut right) = connected();
        right.write_all(b"q").unwrap();
        println!("before: {:?}", left.read(&mut byte));
        left.shutdown(Shutdown::Both).unwrap();
        println!("read: {:?}", left.read(&mut byte));
        println!("write: {:?}", left.write(b"x").map_err(|error| error.kind()));
        println!("other end reads: {:?}", right.read(&mut byte));
    }
    {
        let (left, right) = connected();
        drop(right);
        let mut left = left;
        println!("dropped: {:?}", left.read(&mut byte));
        left.shutdown(Shutdown::Write).unwrap();
        let again = left.shutdown(Shutdown::Both);
        println!("both are closed: {:?}", again.map_err(|error| error.kind()));
    }
}
