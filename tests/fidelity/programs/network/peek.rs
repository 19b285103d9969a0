//! A server that looks at the first byte to find out which protocol a client speaks.
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::thread;

enum Protocol {
    Text,
    Binary,
}

fn detect(stream: &TcpStream) -> std::io::Result<Option<Protocol>> {
    let mut first = [0; 1];
    Ok(match stream.peek(&mut first)? {
        0 => None,
        _ if first[0].is_ascii_alphabetic() => Some(Protocol::Text),
        _ => Some(Protocol::Binary),
    })
}

fn serve(mut stream: TcpStream) -> std::io::Result<String> {
    Ok(match detect(&stream)? {
        None => "nothing".to_owned(),
        Some(Protocol::Text) => {
            let mut line = String::new();
            BufReader::new(&stream).read_line(&mut line)?;
            format!("text {:?}", line.trim_end())
        }
        Some(Protocol::Binary) => {
            let mut header = [0; 4];
            stream.read_exact(&mut header)?;
            let mut body = vec![0; u32::from_be_bytes(header) as usize];
            stream.read_exact(&mut body)?;
            format!("binary {body:?}")
        }
    })
}

fn send(address: SocketAddr, bytes: &[u8]) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(bytes).unwrap();
    stream.shutdown(Shutdown::Write).unwrap();
    stream
}

fn main() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let server = thread::spawn(move || {
        for stream in listener.incoming().take(3) {
            println!("{}", serve(stream.unwrap()).unwrap());
        }
    });
    let streams = [send(address, b"HELLO world\n"), send(address, &[0, 0, 0, 3, 7, 8, 9]), send(address, b"")];
    server.join().unwrap();

    // Peeking again and again gives the same; reading takes it away.
    drop(streams);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let (mut stream, _) = listener.accept().unwrap();
    client.write_all(b"abc").unwrap();
    let mut buffer = [0; 8];
    println!("{} {}", stream.peek(&mut buffer).unwrap(), stream.peek(&mut buffer[..2]).unwrap());
    println!("{}", stream.read(&mut buffer[..1]).unwrap());
    println!("{} {:?}", stream.peek(&mut buffer).unwrap(), &buffer[..2]);
}
