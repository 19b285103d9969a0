//! `io::copy` between sockets, pipes, files and memory.
use std::fs::{self, File};
use std::io::{self, Read, Seek, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::thread;

fn main() -> io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;

    // The classic: an echo server in one line.
    let server = thread::spawn(move || {
        let (stream, _) = listener.accept()?;
        io::copy(&mut &stream, &mut &stream)
    });
    let mut client = TcpStream::connect(address)?;
    println!("{}", io::copy(&mut "some text to copy".as_bytes(), &mut client)?);
    client.shutdown(Shutdown::Write)?;
    let mut answer = Vec::new();
    println!("{} {}", io::copy(&mut client, &mut answer)?, String::from_utf8_lossy(&answer));
    println!("{}", server.join().unwrap()?);

    // From a file into a socket, and back into another file.
    let path = std::env::temp_dir().join(format!("copied-{}", std::process::id()));
    fs::write(&path, "0123456789".repeat(2_000))?;
    let (mut left, mut right) = UnixStream::pair()?;
    let from = File::open(&path)?;
    let sender = thread::spawn(move || io::copy(&mut &from, &mut left));
    let mut back = File::options().read(true).write(true).create(true).truncate(true).open(path.with_extension("b"))?;
    println!("{}", io::copy(&mut right, &mut back)?);
    println!("{}", sender.join().unwrap()?);
    back.rewind()?;
    let mut text = String::new();
    back.read_to_string(&mut text)?;
    println!("{} {}", text.len(), text == fs::read_to_string(&path)?);
    fs::remove_file(path.with_extension("b"))?;

    // From a pipe into a socket, a part only.
    let (reader, mut writer) = io::pipe()?;
    writer.write_all(b"first part|second part")?;
    drop(writer);
    let (mut left, mut right) = UnixStream::pair()?;
    println!("{}", io::copy(&mut reader.take(10), &mut left)?);
    drop(left);
    text.clear();
    right.read_to_string(&mut text)?;
    println!("{text}");
    println!("{}", io::copy(&mut File::open(&path)?, &mut io::sink())?);
    fs::remove_file(&path)
}
