//! A writer that does not block fills the connection until nothing more fits; then the reader empties it.
use std::io::{ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};

fn main() -> std::io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let mut writer = TcpStream::connect(listener.local_addr()?)?;
    let (mut reader, _) = listener.accept()?;
    writer.set_nonblocking(true)?;
    let chunk: Vec<u8> = (0..=255).cycle().take(64 * 1024).collect();
    let mut written = 0u64;
    let end = loop {
        let at = (written % 256) as usize;
        match writer.write(&chunk[at..]) {
            Ok(count) => written += count as u64,
            Err(error) => break error.kind(),
        }
    };
    println!("{end:?}, some was written: {}", written > 1000);
    println!("again: {:?}", writer.write(b"x").map_err(|error| error.kind()));

    drop(writer);
    let mut read = 0u64;
    let mut right = true;
    let mut buffer = vec![0; 100_000];
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => {
                let (first, last) = (read % 256, (read + count as u64 - 1) % 256);
                right &= u64::from(buffer[0]) == first && u64::from(buffer[count - 1]) == last;
                read += count as u64;
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    println!("all of it arrived: {}, in order: {right}", read == written);
    Ok(())
}
