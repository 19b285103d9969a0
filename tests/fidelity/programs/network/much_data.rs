//! More data than the buffers of a connection hold, in both directions at once.
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::thread;

const COUNT: usize = 400_000;

fn pattern(seed: u8) -> Vec<u8> {
    let mut state = u32::from(seed) | 0x100;
    let mut bytes = Vec::with_capacity(COUNT);
    while bytes.len() < COUNT {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        bytes.extend(state.to_le_bytes().repeat(250));
    }
    bytes.truncate(COUNT);
    bytes
}

fn exchange(stream: TcpStream, own: Vec<u8>) -> io::Result<Vec<u8>> {
    let mut sending = stream.try_clone()?;
    let sender = thread::spawn(move || -> io::Result<()> {
        for chunk in own.chunks(7_777) {
            sending.write_all(chunk)?;
        }
        sending.shutdown(Shutdown::Write)
    });
    let mut received = Vec::new();
    let mut stream = stream;
    stream.read_to_end(&mut received)?;
    sender.join().unwrap()?;
    Ok(received)
}

fn main() -> io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let client = TcpStream::connect(listener.local_addr()?)?;
    let (server, _) = listener.accept()?;
    let other = thread::spawn(move || exchange(server, pattern(1)));
    let got = exchange(client, pattern(2))?;
    let sent = other.join().unwrap()?;
    println!("{} {}", got.len(), got == pattern(1));
    println!("{} {}", sent.len(), sent == pattern(2));
    Ok(())
}
