//! `poll` and `select` on pipes and sockets, as the C library has them.
use std::ffi::{c_int, c_short, c_ulong};
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;
use std::thread;
use std::time::{Duration, Instant};

#[repr(C)]
struct Polled {
    descriptor: c_int,
    events: c_short,
    found: c_short,
}

#[repr(C)]
struct Set([c_ulong; 16]);

#[repr(C)]
struct Time {
    seconds: i64,
    microseconds: i64,
}

unsafe extern "C" {
    fn poll(descriptors: *mut Polled, count: c_ulong, milliseconds: c_int) -> c_int;
    fn select(count: c_int, read: *mut Set, write: *mut Set, except: *mut Set, time: *mut Time) -> c_int;
}

const IN: c_short = 1;
const OUT: c_short = 4;
const HUP: c_short = 0x10;
const NVAL: c_short = 0x20;

fn wait(wanted: &[(&dyn AsRawFd, c_short)], milliseconds: c_int) -> (c_int, Vec<String>) {
    let mut polled: Vec<_> =
        wanted.iter().map(|(it, events)| Polled { descriptor: it.as_raw_fd(), events: *events, found: 0 }).collect();
    // SAFETY: the array has as many elements as it says.
    let count = unsafe { poll(polled.as_mut_ptr(), polled.len() as c_ulong, milliseconds) };
    let names = |found: c_short| {
        let known = [(IN, "in"), (OUT, "out"), (HUP, "hup"), (NVAL, "nval")];
        known.iter().filter(|(bit, _)| found & bit != 0).map(|(_, name)| *name).collect::<Vec<_>>().join("+")
    };
    (count, polled.iter().map(|it| names(it.found)).collect())
}

fn main() -> io::Result<()> {
    let (mut reader, mut writer) = io::pipe()?;
    println!("{:?}", wait(&[(&reader, IN), (&writer, OUT)], 0));
    let start = Instant::now();
    println!("{:?} {}", wait(&[(&reader, IN)], 12), start.elapsed() >= Duration::from_millis(12));
    writer.write_all(b"x")?;
    println!("{:?}", wait(&[(&reader, IN), (&writer, OUT)], -1));
    drop(writer);
    println!("{:?}", wait(&[(&reader, IN)], -1));
    reader.read_exact(&mut [0])?;
    println!("{:?}", wait(&[(&reader, IN)], -1));

    let listener = TcpListener::bind("127.0.0.1:0")?;
    println!("{:?}", wait(&[(&listener, IN)], 0));
    let mut client = TcpStream::connect(listener.local_addr()?)?;
    println!("{:?}", wait(&[(&listener, IN)], 1000));
    let (mut server, _) = listener.accept()?;
    println!("{:?}", wait(&[(&listener, IN), (&server, IN | OUT), (&client, IN | OUT)], 0));
    let answering = thread::spawn(move || -> io::Result<()> {
        let mut byte = [0];
        server.read_exact(&mut byte)?;
        thread::sleep(Duration::from_millis(5));
        server.write_all(&byte)
    });
    client.write_all(b"q")?;
    println!("{:?}", wait(&[(&client, IN)], -1));
    answering.join().unwrap()?;
    println!("{:?}", wait(&[(&client, IN), (&-1, IN), (&999, IN)], -1));

    let (left, mut right) = UnixStream::pair()?;
    let mut set = Set([0; 16]);
    let bit = left.as_raw_fd();
    right.write_all(b"ready")?;
    set.0[bit as usize / 64] |= 1 << (bit % 64);
    let mut time = Time { seconds: 1, microseconds: 0 };
    let none = std::ptr::null_mut();
    // SAFETY: the sets are as large as the C library has them.
    let count = unsafe { select(bit + 1, &mut set, none, none, &mut time) };
    println!("{count} {}", set.0[bit as usize / 64] == 1 << (bit % 64));
    (&left).read_exact(&mut [0; 5])?;
    let mut time = Time { seconds: 0, microseconds: 3000 };
    // SAFETY: as above.
    let count = unsafe { select(bit + 1, &mut set, none, none, &mut time) };
    println!("{count} {:?}", set.0.iter().all(|it| *it == 0));
    Ok(())
}
