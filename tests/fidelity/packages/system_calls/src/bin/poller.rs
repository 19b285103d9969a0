//! A poller that waits for a listener and is notified by another thread.

use polling::{Event, Events, Poller};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
fn main() -> std::io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    let poller = std::sync::Arc::new(Poller::new()?);
    unsafe {
        poller.add(&listener, Event::readable(7))?;
    }
    let other = poller.clone();
    let client = std::thread::spawn(move || {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(b"hi").unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        other.notify().unwrap();
        text
    });
    let mut events = Events::new();
    poller.wait(&mut events, None)?;
    for event in events.iter() {
        println!("{} {}", event.key, event.readable);
    }
    let (mut stream, _) = listener.accept()?;
    let mut two = [0; 2];
    stream.set_nonblocking(false)?;
    stream.read_exact(&mut two)?;
    println!("{two:?}");
    stream.write_all(b"bye")?;
    drop(stream);
    events.clear();
    println!("{}", poller.wait(&mut events, None)?);
    println!("{}", client.join().unwrap());
    poller.delete(&listener)?;
    Ok(())
}
