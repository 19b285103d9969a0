//! Sockets and polling in whole programs, and programs outside of the run.

use crate::support::Folder;

/// The imports of the bodies.
const IMPORTS: &str = "\
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream, ToSocketAddrs, UdpSocket};
use std::os::unix::net::{UnixDatagram, UnixListener, UnixStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;
";

fn check(body: &str, runs: &str) -> (String, String, i32) {
    let text = super::program(IMPORTS, body);
    let folder = Folder::new(&[("network.rs", text.as_str())]);
    folder.output(&["check", "network.rs", "--possible", "--runs", runs])
}

/// Checks that something happens in no run.
#[track_caller]
fn holds(body: &str) {
    let (stdout, stderr, status) = check(body, "60");
    assert_eq!((stdout.as_str(), status), ("", 0), "{stderr}");
}

/// Checks that something may happen: it shows as a finding that depends on some input.
#[track_caller]
fn may_happen(body: &str) {
    let (stdout, stderr, status) = check(body, "60");
    assert!(status == 1 && stdout.contains("some-input"), "{stdout}{stderr}");
}

#[test]
fn what_one_end_sends_the_other_receives() {
    holds(
        r#"
fn body() -> io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    never(address.port() == 0);
    let server = thread::spawn(move || {
        let (mut stream, peer) = listener.accept().unwrap();
        never(stream.peer_addr().unwrap() != peer || stream.local_addr().unwrap() != address);
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        never(text != "one two");
        stream.write_all(text.to_uppercase().as_bytes()).unwrap();
    });
    let mut stream = TcpStream::connect(address)?;
    stream.write_all(b"one ")?;
    stream.write_all(b"two")?;
    stream.shutdown(Shutdown::Write)?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    never(answer != "ONE TWO");
    server.join().unwrap();
    let own = UdpSocket::bind("127.0.0.1:0")?;
    let other = UdpSocket::bind("127.0.0.1:0")?;
    own.send_to(b"first", other.local_addr()?)?;
    own.send_to(b"second", other.local_addr()?)?;
    let mut buffer = [0; 3];
    let (count, from) = other.recv_from(&mut buffer)?;
    never(&buffer[..count] != b"fir" || from != own.local_addr()?);
    let (count, _) = other.recv_from(&mut buffer)?;
    never(&buffer[..count] != b"sec");
    let (one, two) = UnixDatagram::pair()?;
    one.send(b"")?;
    never(two.recv(&mut buffer)? != 0);
    Ok(())
}
"#,
    );
}

#[test]
fn errors_and_limits_of_time() {
    holds(
        r#"
fn body() -> io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let again = TcpListener::bind(listener.local_addr()?);
    never(again.is_ok_and(|it| it.local_addr().is_ok()));
    let mut stream = TcpStream::connect(listener.local_addr()?)?;
    stream.set_read_timeout(Some(Duration::from_millis(20)))?;
    never(stream.read(&mut [0]).map_err(|error| error.kind()) != Err(ErrorKind::WouldBlock));
    stream.set_nonblocking(true)?;
    never(stream.read(&mut [0]).map_err(|error| error.kind()) != Err(ErrorKind::WouldBlock));
    let (accepted, _) = listener.accept()?;
    drop(accepted);
    never(stream.read(&mut [0])? != 0);
    let (one, two) = UnixStream::pair()?;
    drop(two);
    never((&one).write(b"x").map_err(|error| error.kind()) != Err(ErrorKind::BrokenPipe));
    let path = "own.socket";
    let named = UnixListener::bind(path)?;
    never(UnixListener::bind(path).is_ok());
    drop(named);
    never(UnixStream::connect(path).map_err(|error| error.kind()).err() != Some(ErrorKind::ConnectionRefused));
    Ok(())
}
"#,
    );
}

/// Two clients from outside are served at once.
#[test]
fn a_listener_gets_clients() {
    let body = r#"
fn body() -> io::Result<()> {
    let served = Arc::new(Mutex::new(0));
    for stream in TcpListener::bind("127.0.0.1:0")?.incoming() {
        let (mut stream, served) = (stream?, served.clone());
        thread::spawn(move || {
            *served.lock().unwrap() += 1;
            let mut bytes = Vec::new();
            let _ = stream.read_to_end(&mut bytes);
            never(NEVER);
            *served.lock().unwrap() -= 1;
        });
    }
    Ok(())
}
"#;
    may_happen(&body.replace("NEVER", "*served.lock().unwrap() == 2"));
    may_happen(&body.replace("NEVER", r#"bytes.starts_with(b"GET /")"#));
    holds(&body.replace("NEVER", "*served.lock().unwrap() > 3"));
}

#[test]
fn a_server_elsewhere_answers_or_refuses() {
    may_happen(
        r#"
fn body() -> io::Result<()> {
    let mut stream = TcpStream::connect("192.0.2.7:80")?;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes)?;
    never(!bytes.is_empty());
    Ok(())
}
"#,
    );
    may_happen(
        r#"
fn body() -> io::Result<()> {
    let refused = TcpStream::connect("192.0.2.7:80").map_err(|error| error.kind()).err();
    never(refused == Some(ErrorKind::ConnectionRefused));
    Ok(())
}
"#,
    );
}

/// Nobody comes while a program talks to itself, and waiting for the outside is no deadlock.
#[test]
fn a_program_that_talks_to_itself_is_left_alone() {
    holds(
        r#"
fn body() -> io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    let server = thread::spawn(move || {
        for _ in 0..2 {
            let (mut stream, _) = listener.accept().unwrap();
            let mut bytes = [0; 2];
            let count = stream.read(&mut bytes).unwrap();
            never(bytes[..count] != b"ok"[..count]);
        }
        listener.accept().unwrap();
        never(true);
    });
    for _ in 0..2 {
        thread::sleep(Duration::from_millis(300));
        TcpStream::connect(address)?.write_all(b"ok")?;
    }
    server.join().unwrap();
    Ok(())
}
"#,
    );
}
