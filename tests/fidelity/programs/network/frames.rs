//! Messages behind their lengths, of several kinds, written and read by one trait.
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

#[derive(Debug, PartialEq)]
enum Frame {
    Text(String),
    Numbers(Vec<i32>),
    Ping(u8),
    Close,
}

trait FrameIo: Read + Write {
    fn send(&mut self, frame: &Frame) -> io::Result<()> {
        let (tag, body) = match frame {
            Frame::Text(text) => (b't', text.clone().into_bytes()),
            Frame::Numbers(numbers) => (b'n', numbers.iter().flat_map(|it| it.to_le_bytes()).collect()),
            Frame::Ping(id) => (b'p', vec![*id]),
            Frame::Close => (b'c', Vec::new()),
        };
        let mut bytes = Vec::with_capacity(body.len() + 5);
        bytes.push(tag);
        bytes.extend((body.len() as u32).to_be_bytes());
        bytes.extend(body);
        self.write_all(&bytes)
    }

    fn receive(&mut self) -> io::Result<Frame> {
        let mut head = [0; 5];
        self.read_exact(&mut head)?;
        let length = u32::from_be_bytes(head[1..].try_into().unwrap());
        if length > 1 << 20 {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "too long"));
        }
        let mut body = vec![0; length as usize];
        self.read_exact(&mut body)?;
        match (head[0], body.as_slice()) {
            (b't', text) => String::from_utf8(text.to_vec()).map(Frame::Text).map_err(io::Error::other),
            (b'n', bytes) if bytes.len() % 4 == 0 => {
                Ok(Frame::Numbers(bytes.chunks(4).map(|it| i32::from_le_bytes(it.try_into().unwrap())).collect()))
            }
            (b'p', &[id]) => Ok(Frame::Ping(id)),
            (b'c', []) => Ok(Frame::Close),
            (tag, body) => Err(io::Error::other(format!("tag {tag} with {} bytes", body.len()))),
        }
    }
}

impl<T: Read + Write> FrameIo for T {}

fn main() -> io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    let server = thread::spawn(move || -> io::Result<usize> {
        let (mut stream, _) = listener.accept()?;
        let mut count = 0;
        loop {
            count += 1;
            match stream.receive()? {
                Frame::Text(text) => stream.send(&Frame::Text(text.split(' ').rev().collect::<Vec<_>>().join(" ")))?,
                Frame::Numbers(mut numbers) => {
                    numbers.sort();
                    stream.send(&Frame::Numbers(numbers))?;
                }
                Frame::Ping(id) => stream.send(&Frame::Ping(id.wrapping_add(1)))?,
                Frame::Close => return Ok(count),
            }
        }
    });
    let mut client = TcpStream::connect(address)?;
    let frames = [
        Frame::Text("one two three".into()),
        Frame::Numbers(vec![5, -7, 1_000_000, 0]),
        Frame::Ping(255),
        Frame::Numbers((0..3000).rev().collect()),
        Frame::Text(String::new()),
    ];
    for frame in &frames {
        client.send(frame)?;
        let answer = client.receive()?;
        match &answer {
            Frame::Numbers(numbers) if numbers.len() > 10 => {
                println!("{} numbers, sorted: {}", numbers.len(), numbers.is_sorted());
            }
            other => println!("{other:?}"),
        }
    }
    client.send(&Frame::Close)?;
    println!("{:?}", client.receive().map_err(|error| error.kind()));
    println!("{} frames", server.join().unwrap()?);

    let mut wrong = io::Cursor::new(b"p\0\0\0\x02ab".to_vec());
    println!("{}", wrong.receive().unwrap_err());
    let mut long = io::Cursor::new(b"t\xff\xff\xff\xff".to_vec());
    println!("{}", long.receive().unwrap_err());
    Ok(())
}
