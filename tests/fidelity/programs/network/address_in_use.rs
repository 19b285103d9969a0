//! An address can be bound once, and again after it was given up.
use std::io::ErrorKind;
use std::net::{TcpListener, UdpSocket};

fn main() {
    let first = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = first.local_addr().unwrap();
    match TcpListener::bind(address) {
        Ok(_) => println!("bound twice"),
        Err(error) if error.kind() == ErrorKind::AddrInUse => println!("in use: {error}"),
        Err(error) => println!("{error:?}"),
    }
    // The same port of the other protocol is free, at least for us.
    let datagrams = UdpSocket::bind(address);
    println!("{}", datagrams.is_ok());
    if let Ok(socket) = &datagrams {
        println!("{:?}", UdpSocket::bind(socket.local_addr().unwrap()).map_err(|error| error.kind()).err());
    }
    drop(first);
    let again = TcpListener::bind(address);
    println!("{}", again.is_ok_and(|it| it.local_addr().unwrap() == address));
    // An address of another machine.
    println!("{:?}", TcpListener::bind("192.0.2.1:0").map_err(|error| error.kind()).err());
    println!("{:?}", UdpSocket::bind("192.0.2.1:0").map_err(|error| error.kind()).err());
    // Of several addresses the first that can be bound is.
    let both = [std::net::SocketAddr::from(([192, 0, 2, 1], 0)), "127.0.0.1:0".parse().unwrap()];
    println!("{}", TcpListener::bind(&both[..]).unwrap().local_addr().unwrap().ip());
}
