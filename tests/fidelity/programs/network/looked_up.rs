//! Addresses looked up by names and literals.
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};

fn show(what: &str, addresses: impl ToSocketAddrs) {
    match addresses.to_socket_addrs() {
        Ok(found) => println!("{what}: {:?}", found.collect::<Vec<_>>()),
        Err(error) => println!("{what}: {:?} {error}", error.kind()),
    }
}

fn main() -> std::io::Result<()> {
    show("literal", "127.0.0.1:80");
    show("owned", String::from("[::1]:80"));
    show("pair", ("10.1.2.3", 99));
    show("pair of an owned one", (String::from("fe80::1"), 99));
    show("address and port", (Ipv4Addr::LOCALHOST, 7));
    show("any address", (IpAddr::from([9, 9, 9, 9]), 53));
    let two = [SocketAddr::from(([1, 1, 1, 1], 1)), SocketAddr::from(([2, 2, 2, 2], 2))];
    show("slice", &two[..]);
    show("reference", &two[1]);
    show("no port", "127.0.0.1");
    show("bad port", "127.0.0.1:http");
    show("port too large", "localhost:70000");

    // Which addresses `localhost` has depends on the machine; this one is always among them.
    let local: Vec<_> = "localhost:4711".to_socket_addrs()?.collect();
    println!("{}", local.contains(&SocketAddr::from(([127, 0, 0, 1], 4711))));
    println!("{}", local.iter().all(|it| it.ip().is_loopback() && it.port() == 4711));
    println!("{}", ("localhost", 0).to_socket_addrs()?.any(|it| it.is_ipv4()));

    let listener = TcpListener::bind("127.0.0.1:0")?;
    let port = listener.local_addr()?.port();
    let stream = TcpStream::connect(("localhost", port))?;
    println!("{}", stream.peer_addr()? == listener.local_addr()?);
    println!("{}", TcpStream::connect(format!("localhost:{port}")).is_ok());
    Ok(())
}
