//! One thread serves several connections by asking each of them in turn.
use std::io::{self, ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

struct Connection {
    stream: TcpStream,
    pending: Vec<u8>,
    lines: usize,
}

impl Connection {
    /// Whether the connection is still open.
    fn advance(&mut self) -> io::Result<bool> {
        let mut buffer = [0; 16];
        match self.stream.read(&mut buffer) {
            Ok(0) => return Ok(false),
            Ok(count) => self.pending.extend_from_slice(&buffer[..count]),
            Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(true),
            Err(error) if error.kind() == ErrorKind::Interrupted => return Ok(true),
            Err(error) => return Err(error),
        }
        while let Some(end) = self.pending.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = self.pending.drain(..=end).collect();
            self.lines += 1;
            let answer = format!("{}: {}", self.lines, String::from_utf8_lossy(&line).to_uppercase());
            self.stream.write_all(answer.as_bytes())?;
        }
        Ok(true)
    }
}

fn main() -> io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    let clients: Vec<_> = ["ant", "bee", "cat"]
        .map(|name| {
            thread::spawn(move || -> io::Result<String> {
                let mut stream = TcpStream::connect(address)?;
                for part in [name, " walks\n", name, " ", "sleeps\n"] {
                    stream.write_all(part.as_bytes())?;
                }
                stream.shutdown(std::net::Shutdown::Write)?;
                let mut answer = String::new();
                stream.read_to_string(&mut answer)?;
                Ok(answer)
            })
        })
        .into();

    let mut connections = Vec::new();
    for _ in 0..clients.len() {
        let (stream, _) = listener.accept()?;
        stream.set_nonblocking(true)?;
        connections.push(Connection { stream, pending: Vec::new(), lines: 0 });
    }
    let mut total = 0;
    while !connections.is_empty() {
        let mut error = None;
        connections.retain_mut(|connection| match connection.advance() {
            Ok(true) => true,
            Ok(false) => {
                total += connection.lines;
                false
            }
            Err(problem) => {
                error = Some(problem);
                false
            }
        });
        if let Some(error) = error {
            return Err(error);
        }
        thread::yield_now();
    }
    for client in clients {
        print!("{}", client.join().unwrap()?);
    }
    println!("{total} lines");
    Ok(())
}
