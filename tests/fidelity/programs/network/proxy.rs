//! A proxy that hands on both directions and counts the bytes.
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::thread;

fn forward(mut from: TcpStream, mut to: TcpStream) -> io::Result<u64> {
    let count = io::copy(&mut from, &mut to)?;
    to.shutdown(Shutdown::Write)?;
    Ok(count)
}

fn proxy(client: TcpStream, target: SocketAddr) -> io::Result<(u64, u64)> {
    let server = TcpStream::connect(target)?;
    let (from, to) = (client.try_clone()?, server.try_clone()?);
    let upwards = thread::spawn(move || forward(from, to));
    let down = forward(server, client)?;
    Ok((upwards.join().unwrap()?, down))
}

fn greeter(listener: TcpListener) -> io::Result<()> {
    for stream in listener.incoming().take(2) {
        let mut stream = stream?;
        stream.write_all(b"220 ready\n")?;
        let reader = BufReader::new(stream.try_clone()?);
        for line in reader.lines() {
            writeln!(stream, "250 {}", line?.trim())?;
        }
        stream.write_all(b"221 bye\n")?;
    }
    Ok(())
}

fn session(address: SocketAddr, lines: &[&str]) -> io::Result<String> {
    let mut stream = TcpStream::connect(address)?;
    for line in lines {
        writeln!(stream, "{line}")?;
    }
    stream.shutdown(Shutdown::Write)?;
    let mut all = String::new();
    stream.read_to_string(&mut all)?;
    Ok(all)
}

fn main() -> io::Result<()> {
    let target = TcpListener::bind("127.0.0.1:0")?;
    let target_address = target.local_addr()?;
    let target = thread::spawn(move || greeter(target));
    let front = TcpListener::bind("127.0.0.1:0")?;
    let address = front.local_addr()?;
    let front = thread::spawn(move || -> io::Result<Vec<(u64, u64)>> {
        (0..2).map(|_| proxy(front.accept()?.0, target_address)).collect()
    });
    print!("{}", session(address, &["hello", "  mail from me  "])?);
    print!("{}", session(address, &[])?);
    println!("{:?}", front.join().unwrap()?);
    target.join().unwrap()?;

    // The target has gone.
    let front = TcpListener::bind("127.0.0.1:0")?;
    let client = TcpStream::connect(front.local_addr()?)?;
    println!("{:?}", proxy(front.accept()?.0, target_address).map_err(|error| error.kind()));
    println!("{:?}", (&client).read(&mut [0; 8]));
    Ok(())
}
