//! The two ends of a pair of sockets, in two threads.
use std::io::{self, Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::thread;
use std::time::Duration;

fn main() -> io::Result<()> {
    let (mut parent, mut child) = UnixStream::pair()?;
    println!("{:?} {:?}", parent.local_addr()?.is_unnamed(), parent.peer_addr()?.is_unnamed());
    let worker = thread::spawn(move || -> io::Result<()> {
        let mut byte = [0];
        let mut count = 0u32;
        while child.read(&mut byte)? == 1 {
            count += u32::from(byte[0]);
            child.write_all(&count.to_le_bytes())?;
        }
        child.write_all(b"done")
    });
    for step in [1, 10, 100, 250] {
        parent.write_all(&[step])?;
        let mut sum = [0; 4];
        parent.read_exact(&mut sum)?;
        println!("{}", u32::from_le_bytes(sum));
    }
    parent.shutdown(Shutdown::Write)?;
    let mut rest = String::new();
    parent.read_to_string(&mut rest)?;
    println!("{rest}");
    worker.join().unwrap()?;
    println!("{:?}", parent.write(b"x").map_err(|error| error.kind()));

    let (mut left, right) = UnixStream::pair()?;
    left.set_nonblocking(true)?;
    println!("{:?}", left.read(&mut [0; 4]).map_err(|error| error.kind()));
    left.set_nonblocking(false)?;
    left.set_read_timeout(Some(Duration::from_millis(10)))?;
    println!("{:?}", left.read(&mut [0; 4]).map_err(|error| error.kind()));
    drop(right);
    println!("{:?}", left.read(&mut [0; 4]));
    println!("{:?}", left.write(b"x").map_err(|error| error.kind()));
    Ok(())
}
