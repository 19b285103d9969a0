//! Lines over a connection, however they were cut when they were sent.
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

fn main() -> io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    let sender = thread::spawn(move || -> io::Result<()> {
        let mut stream = TcpStream::connect(address)?;
        for piece in ["fir", "st\nsecond\r\nthi", "", "rd\n\nfif", "th without end"] {
            stream.write_all(piece.as_bytes())?;
            thread::sleep(Duration::from_millis(2));
        }
        Ok(())
    });
    let (stream, _) = listener.accept()?;
    for (number, line) in BufReader::with_capacity(4, stream).lines().enumerate() {
        println!("{number}: {:?}", line?);
    }
    sender.join().unwrap()?;

    // Buffered in both directions; other separators; bytes that are no text.
    let writer = thread::spawn(move || -> io::Result<()> {
        let mut out = BufWriter::new(TcpStream::connect(address)?);
        for number in 0..5 {
            write!(out, "{number};")?;
        }
        out.flush()?;
        out.write_all(b"tail;\xff\xfe\nrest")
    });
    let mut reader = BufReader::new(listener.accept()?.0);
    let mut part = Vec::new();
    for _ in 0..6 {
        part.clear();
        let count = reader.read_until(b';', &mut part)?;
        println!("{count} {:?}", String::from_utf8_lossy(&part));
    }
    let mut text = String::new();
    let error = reader.read_line(&mut text).unwrap_err();
    println!("{:?} {error} {text:?}", error.kind());
    println!("{:?}", reader.split(b'\n').map(|it| it.unwrap().len()).collect::<Vec<_>>());
    writer.join().unwrap()
}
