//! Socket addresses as text, and in order.
use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};

fn main() {
    let texts = [
        "127.0.0.1:80",
        "[::1]:8080",
        "[2001:db8::7%3]:443",
        "10.0.0.1:0",
        "[::ffff:192.0.2.128]:1",
        "10.0.0.1",
        "10.0.0.256:1",
        "10.0.0.1:65536",
        "10.0.0.01:1",
        "localhost:80",
        "::1:80",
        "[::1]",
        "",
    ];
    let mut sorted = BTreeSet::new();
    for text in texts {
        match text.parse::<SocketAddr>() {
            Ok(address) => {
                println!("{text} -> {address:?}, {}, port {}", address.ip(), address.port());
                sorted.insert(address);
            }
            Err(error) => println!("{text:?}: {error}"),
        }
    }
    println!("{sorted:?}");
    for address in &sorted {
        println!("[{address:>32}] [{address:<32}] {}", if address.is_ipv4() { "v4" } else { "v6" });
    }

    let mut address = SocketAddr::new(IpAddr::V4(Ipv4Addr::new(192, 168, 0, 1)), 22);
    address.set_port(2222);
    println!("{address}");
    address.set_ip(IpAddr::V6(Ipv6Addr::LOCALHOST));
    println!("{address}");
    let six = SocketAddrV6::new(Ipv6Addr::UNSPECIFIED, 5, 7, 9);
    println!("{six} {six:?} {} {}", six.flowinfo(), six.scope_id());
    println!("{}", SocketAddrV4::new(Ipv4Addr::BROADCAST, 9));
    println!("{}", SocketAddr::from(([1, 2, 3, 4], 5)));
    println!("{}", SocketAddr::from(([1, 2, 3, 4, 5, 6, 7, 8], 9)));
    println!("{:?}", "1.2.3.4:5".parse::<SocketAddrV6>().map_err(|error| error.to_string()));
    println!("{:?}", "1.2.3.4:5".parse::<SocketAddrV4>());
}
