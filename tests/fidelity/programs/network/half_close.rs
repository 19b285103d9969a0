//! A client that says all it has to say, closes its half of the connection and then reads the answer.
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::thread;

/// Adds up the numbers of one client, which ends its list by closing.
fn sum(stream: TcpStream) -> io::Result<()> {
    let mut reader = BufReader::new(stream);
    let mut total = 0i64;
    let mut bad = Vec::new();
    let mut line = String::new();
    while reader.read_line(&mut line)? != 0 {
        match line.trim().parse::<i64>() {
            Ok(number) => total += number,
            Err(error) => bad.push(format!("{:?}: {error}", line.trim())),
        }
        line.clear();
    }
    let mut stream = reader.into_inner();
    writeln!(stream, "total {total}")?;
    for problem in bad {
        writeln!(stream, "ignored {problem}")?;
    }
    Ok(())
}

fn ask(address: std::net::SocketAddr, lines: &[&str]) -> io::Result<String> {
    let mut stream = TcpStream::connect(address)?;
    for line in lines {
        stream.write_all(line.as_bytes())?;
        stream.write_all(b"\n")?;
    }
    stream.shutdown(Shutdown::Write)?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer)
}

fn main() -> io::Result<()> {
    let listener = TcpListener::bind(("127.0.0.1", 0))?;
    let address = listener.local_addr()?;
    let server = thread::spawn(move || {
        for stream in listener.incoming().take(3) {
            sum(stream.unwrap()).unwrap();
        }
    });
    print!("{}", ask(address, &["1", "2", "3"])?);
    print!("{}", ask(address, &["-40", "", "forty", "82"])?);
    print!("{}", ask(address, &[])?);
    server.join().unwrap();
    Ok(())
}
