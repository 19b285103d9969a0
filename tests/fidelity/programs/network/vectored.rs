//! Several buffers in one call.
use std::io::{self, IoSlice, IoSliceMut, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::net::UnixStream;

fn main() -> io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let mut client = TcpStream::connect(listener.local_addr()?)?;
    let (mut server, _) = listener.accept()?;
    let parts = [IoSlice::new(b"GET "), IoSlice::new(b""), IoSlice::new(b"/index"), IoSlice::new(b"\r\n")];
    println!("{}", client.write_vectored(&parts)?);
    let mut line = [0; 12];
    server.read_exact(&mut line)?;
    println!("{:?}", str::from_utf8(&line));

    let mut queue = &mut [IoSlice::new(b"abc"), IoSlice::new(b"defgh"), IoSlice::new(b"ij")][..];
    IoSlice::advance_slices(&mut queue, 4);
    println!("{} {:?}", queue.len(), &*queue[0]);
    println!("{}", client.write_vectored(queue)?);
    drop(client);
    let mut rest = String::new();
    server.read_to_string(&mut rest)?;
    println!("{rest}");

    let (mut left, mut right) = UnixStream::pair()?;
    left.write_all(b"headbodyandmore")?;
    let (mut head, mut body) = ([0; 4], [0; 4]);
    println!("{}", right.read_vectored(&mut [IoSliceMut::new(&mut head), IoSliceMut::new(&mut body)])?);
    println!("{:?} {:?}", str::from_utf8(&head), str::from_utf8(&body));
    println!("{}", right.read_vectored(&mut [IoSliceMut::new(&mut [])])?);
    drop(left);
    rest.clear();
    right.read_to_string(&mut rest)?;
    println!("{rest}");
    println!("{}", right.read_vectored(&mut [IoSliceMut::new(&mut head)])?);
    Ok(())
}
