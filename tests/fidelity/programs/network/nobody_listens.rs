//! Connections to a port that nobody listens on any more are refused.
use std::error::Error;
use std::io::ErrorKind;
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

fn main() -> Result<(), Box<dyn Error>> {
    let address = {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?;
        TcpStream::connect(address)?;
        address
    };
    let error = TcpStream::connect(address).unwrap_err();
    println!("{:?} {:?} {error}", error.kind(), error.raw_os_error());
    let error = TcpStream::connect_timeout(&address, Duration::from_millis(500)).unwrap_err();
    println!("{:?} {:?}", error.kind(), error.raw_os_error());
    let error = TcpStream::connect_timeout(&address, Duration::ZERO).unwrap_err();
    println!("{:?} {error}", error.kind());

    // Of several addresses the first that answers is taken.
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let good = listener.local_addr()?;
    let stream = TcpStream::connect(&[address, good][..])?;
    println!("{}", stream.peer_addr()? == good);
    let none: &[std::net::SocketAddr] = &[];
    println!("{:?}", TcpStream::connect(none).map_err(|error| error.kind()));

    let attempts = (0..3).map(|_| TcpStream::connect(address)).filter_map(Result::err);
    println!("{}", attempts.filter(|error| error.kind() == ErrorKind::ConnectionRefused).count());
    println!("{}", TcpStream::connect_timeout(&good, Duration::from_millis(500)).is_ok());
    Ok(())
}
