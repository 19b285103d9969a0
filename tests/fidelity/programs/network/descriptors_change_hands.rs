//! A socket as a bare descriptor, as a file, and as a socket again.
use std::fs::File;
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::fd::{AsFd, AsRawFd, FromRawFd, IntoRawFd, OwnedFd};
use std::os::unix::net::UnixStream;

fn say(to: impl AsFd, text: &str) -> io::Result<usize> {
    let mut file = File::from(to.as_fd().try_clone_to_owned()?);
    file.write(text.as_bytes())
}

fn main() -> io::Result<()> {
    let (left, right) = UnixStream::pair()?;
    let mut as_file = File::from(OwnedFd::from(left));
    as_file.write_all(b"through a file")?;
    println!("{}", say(&as_file, ", and a twin")?);
    println!("{:?}", as_file.metadata()?.is_file());
    let left = UnixStream::from(OwnedFd::from(as_file));
    left.shutdown(std::net::Shutdown::Write)?;
    println!("{}", io::read_to_string(right)?);

    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    let number = listener.into_raw_fd();
    // SAFETY: the descriptor was given up just now, and is a listener's.
    let listener = unsafe { TcpListener::from_raw_fd(number) };
    println!("{}", listener.local_addr()? == address && listener.as_raw_fd() == number);
    let client = TcpStream::connect(address)?;
    let (mut server, _) = listener.accept()?;
    println!("{}", say(client.as_fd(), "hello")?);
    let twin = client.try_clone()?;
    drop(client);
    println!("{}", say(&twin, " again")?);
    drop(twin);
    let mut text = String::new();
    server.read_to_string(&mut text)?;
    println!("{text}");

    let (mut reader, writer) = io::pipe()?;
    let mut writer = File::from(OwnedFd::from(writer));
    writer.write_all(b"from a pipe")?;
    println!("{:?}", writer.sync_all().map_err(|error| error.kind()));
    println!("{:?}", io::Seek::rewind(&mut writer).map_err(|error| error.kind()));
    drop(writer);
    text.clear();
    reader.read_to_string(&mut text)?;
    println!("{text}");
    Ok(())
}
