//! Options of sockets, set and asked back.
use std::net::{Ipv4Addr, TcpListener, TcpStream, UdpSocket};

fn main() -> std::io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let stream = TcpStream::connect(listener.local_addr()?)?;
    println!("nodelay {}", stream.nodelay()?);
    stream.set_nodelay(true)?;
    println!("nodelay {}", stream.nodelay()?);
    stream.set_nodelay(false)?;
    println!("nodelay {}", stream.nodelay()?);

    println!("ttl {} {}", stream.ttl()?, listener.ttl()?);
    stream.set_ttl(17)?;
    listener.set_ttl(99)?;
    println!("ttl {} {}", stream.ttl()?, listener.ttl()?);
    println!("ttl of clones {}", stream.try_clone()?.ttl()?);
    println!("ttl 0: {:?}", stream.set_ttl(0).map_err(|error| error.kind()));
    println!("no error {:?} {:?}", stream.take_error()?.is_none(), listener.take_error()?.is_none());

    let (accepted, _) = listener.accept()?;
    println!("ttl of an accepted one {}", accepted.ttl()?);

    let socket = UdpSocket::bind("127.0.0.1:0")?;
    println!("broadcast {}", socket.broadcast()?);
    socket.set_broadcast(true)?;
    println!("broadcast {}", socket.broadcast()?);
    println!("multicast {} {}", socket.multicast_loop_v4()?, socket.multicast_ttl_v4()?);
    socket.set_multicast_loop_v4(false)?;
    socket.set_multicast_ttl_v4(5)?;
    println!("multicast {} {}", socket.multicast_loop_v4()?, socket.multicast_ttl_v4()?);
    println!("ttl {}", socket.ttl()?);
    let local = Ipv4Addr::new(10, 1, 2, 3);
    println!("no group: {:?}", socket.leave_multicast_v4(&local, &Ipv4Addr::LOCALHOST).is_err());
    Ok(())
}
