use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

// The server waits for the next client while it is joined, and the next client is `main` itself, one line earlier.
fn main() -> io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    let stop = Arc::new(AtomicBool::new(false));
    let server = thread::spawn({
        let stop = stop.clone();
        move || -> io::Result<u32> {
            let mut served = 0;
            loop {
                let (mut stream, _) = listener.accept()?;
                if stop.load(Ordering::SeqCst) {
                    return Ok(served);
                }
                served += 1;
                write!(stream, "client {served}")?;
            }
        }
    });
    let mut text = String::new();
    TcpStream::connect(address)?.read_to_string(&mut text)?;
    println!("{text}");
    stop.store(true, Ordering::SeqCst);
    drop(TcpStream::connect(address)?);
    println!("{}", server.join().unwrap()? >= 1);
    Ok(())
}
