//! The loopback address of IPv6, where the machine has it.
use std::io::{Read, Write};
use std::net::{Ipv6Addr, SocketAddr, SocketAddrV6, TcpListener, TcpStream, UdpSocket};

fn main() -> std::io::Result<()> {
    let listener = TcpListener::bind("[::1]:0")?;
    let address = listener.local_addr()?;
    println!("{} {}", address.ip(), address.is_ipv6());
    let mut client = TcpStream::connect(address)?;
    let (mut server, from) = listener.accept()?;
    println!("{} {}", from.ip(), from == client.local_addr()?);
    client.write_all(b"six")?;
    drop(client);
    let mut text = String::new();
    server.read_to_string(&mut text)?;
    println!("{text}");
    match address {
        SocketAddr::V6(six) => println!("{} {} {}", six.ip(), six.flowinfo(), six.scope_id()),
        SocketAddr::V4(_) => unreachable!(),
    }

    let one = UdpSocket::bind(SocketAddrV6::new(Ipv6Addr::LOCALHOST, 0, 0, 0))?;
    let two = UdpSocket::bind("[::1]:0")?;
    two.send_to(b"datagram", one.local_addr()?)?;
    let mut buffer = [0; 16];
    let (count, from) = one.recv_from(&mut buffer)?;
    println!("{count} {} {}", from.ip(), from == two.local_addr()?);

    // The families do not mix.
    let four = UdpSocket::bind("127.0.0.1:0")?;
    println!("{:?}", four.send_to(b"x", one.local_addr()?).map_err(|error| error.raw_os_error()));
    println!("{}", listener.set_ttl(30).is_ok());
    println!("{:?}", two.multicast_loop_v6()?);
    Ok(())
}
