//! Both ends of a connection agree on its addresses.
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::os::fd::AsRawFd;

fn main() -> std::io::Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let address = listener.local_addr()?;
    println!("{} {} {}", address.ip(), address.port() != 0, address.is_ipv4());

    let client = TcpStream::connect(address)?;
    let (server, from) = listener.accept()?;
    println!("{}", client.peer_addr()? == address);
    println!("{}", client.local_addr()? == from);
    println!("{}", server.local_addr()? == address);
    println!("{}", server.peer_addr()? == client.local_addr()?);
    println!("{}", client.local_addr()?.ip() == IpAddr::from([127, 0, 0, 1]));
    println!("{}", client.try_clone()?.local_addr()? == client.local_addr()?);
    println!("{}", client.as_raw_fd() != server.as_raw_fd());

    // A listener for all interfaces: its connections have the address that was asked for.
    let everywhere = TcpListener::bind("0.0.0.0:0")?;
    println!("{}", everywhere.local_addr()?.ip());
    let port = everywhere.local_addr()?.port();
    let client = TcpStream::connect(("127.0.0.1", port))?;
    let (server, _) = everywhere.accept()?;
    println!("{} {}", server.local_addr()?.ip(), server.local_addr()? == client.peer_addr()?);

    let socket = UdpSocket::bind(SocketAddr::from(([127, 0, 0, 1], 0)))?;
    println!("{}", socket.local_addr()?.port() != 0);
    println!("{:?}", socket.peer_addr().map_err(|error| error.kind()));
    socket.connect(address)?;
    println!("{}", socket.peer_addr()? == address);

    // Two connections of one client have different ports.
    let (one, two) = (TcpStream::connect(address)?, TcpStream::connect(address)?);
    println!("{}", one.local_addr()?.port() != two.local_addr()?.port());
    Ok(())
}
