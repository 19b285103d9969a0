//! Unix sockets with names that are no files.
use std::io::{self, Read, Write};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixListener, UnixStream};
use std::thread;

fn main() -> io::Result<()> {
    let name = format!("abstract names {}", std::process::id());
    let address = SocketAddr::from_abstract_name(&name)?;
    println!("{:?} {}", address.as_pathname(), address.is_unnamed());
    println!("{}", address.as_abstract_name() == Some(name.as_bytes()));
    println!("{:?}", UnixStream::connect_addr(&address).map_err(|error| error.kind()).err());

    let listener = UnixListener::bind_addr(&address)?;
    println!("{:?}", UnixListener::bind_addr(&address).map_err(|error| error.kind()).err());
    println!("{}", listener.local_addr()?.as_abstract_name() == Some(name.as_bytes()));
    let server = thread::spawn(move || -> io::Result<()> {
        let (mut stream, _) = listener.accept()?;
        let mut byte = [0];
        stream.read_exact(&mut byte)?;
        stream.write_all(&byte.repeat(3))
    });
    let mut stream = UnixStream::connect_addr(&address)?;
    stream.write_all(b"=")?;
    let mut text = String::new();
    stream.read_to_string(&mut text)?;
    println!("{text}");
    server.join().unwrap()?;
    // The name is free again as soon as the listener has gone.
    println!("{:?}", UnixStream::connect_addr(&address).map_err(|error| error.kind()).err());
    let socket = UnixDatagram::bind_addr(&address)?;
    let sender = UnixDatagram::unbound()?;
    println!("{}", sender.send_to_addr(b"datagram", &address)?);
    println!("{}", socket.recv(&mut [0; 16])?);
    println!("{:?}", SocketAddr::from_abstract_name("x".repeat(200)).map_err(|error| error.kind()).err());
    Ok(())
}
