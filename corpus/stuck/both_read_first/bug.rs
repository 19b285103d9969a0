use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::thread;

/// Exchanges protocol versions; the lower one counts.
fn agree(stream: &mut UnixStream, own: u8) -> io::Result<u8> {
    let mut other = [0];
    stream.read_exact(&mut other)?; //~ deadlock
    stream.write_all(&[own])?;
    Ok(own.min(other[0]))
}

// Each end waits for the other's version before it sends its own.
fn main() -> io::Result<()> {
    let (mut near, mut far) = UnixStream::pair()?;
    let server = thread::spawn(move || agree(&mut far, 4));
    let version = agree(&mut near, 3)?;
    println!("{version} {}", server.join().unwrap()?);
    Ok(())
}
