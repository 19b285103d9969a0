//! A client that gives a slow server only so long, over all its reads.
use std::io::{self, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

/// Reads to the end, but not longer than `limit` altogether.
fn fetch(address: SocketAddr, pause: u8, limit: Duration) -> io::Result<Vec<u8>> {
    let deadline = Instant::now() + limit;
    let mut stream = TcpStream::connect(address)?;
    stream.write_all(&[pause])?;
    let mut all = Vec::new();
    let mut buffer = [0; 4];
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::Error::new(ErrorKind::TimedOut, "the deadline has passed"));
        }
        stream.set_read_timeout(Some(left))?;
        match stream.read(&mut buffer) {
            Ok(0) => return Ok(all),
            Ok(count) => all.extend_from_slice(&buffer[..count]),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
            Err(error) => return Err(error),
        }
    }
}

/// Sends six bytes with a pause in milliseconds before each, as the first byte of the client says.
fn drip(mut stream: TcpStream) -> io::Result<()> {
    let mut pause = [0];
    stream.read_exact(&mut pause)?;
    for byte in b"abcdef" {
        thread::sleep(Duration::from_millis(pause[0].into()));
        stream.write_all(&[*byte])?;
    }
    Ok(())
}

fn main() -> io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            thread::spawn(move || drip(stream));
        }
    });
    let fast = fetch(address, 0, Duration::from_secs(5))?;
    println!("{:?}", String::from_utf8_lossy(&fast));
    let start = Instant::now();
    let slow = fetch(address, 40, Duration::from_millis(50));
    println!("{:?}", slow.map_err(|error| (error.kind(), error.to_string())));
    println!("gave up in time: {}", start.elapsed() >= Duration::from_millis(50));
    let patient = fetch(address, 3, Duration::from_secs(5))?;
    println!("{:?}", String::from_utf8_lossy(&patient));
    Ok(())
}
