use std::io::{self, Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::thread;

/// Answers a request that ends with its stream.
fn serve(mut stream: UnixStream) -> io::Result<()> {
    let mut request = String::new();
    stream.read_to_string(&mut request)?;
    let words = request.split_whitespace().count();
    write!(stream, "{words} words")
}

fn ask(mut stream: UnixStream, request: &str) -> io::Result<String> {
    stream.write_all(request.as_bytes())?;
    stream.shutdown(Shutdown::Write)?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer)
}

// The client does not say that its request is complete, and both read until the other one closes.
fn main() -> io::Result<()> {
    let (near, far) = UnixStream::pair()?;
    let server = thread::spawn(move || serve(far));
    println!("{}", ask(near, "how long is this")?);
    server.join().unwrap()
}
