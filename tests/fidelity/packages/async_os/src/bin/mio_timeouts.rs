//! Polls that end without an event, with registrations that change.
use mio::net::UnixStream;
use mio::{Events, Interest, Poll, Token};
use std::io::{self, ErrorKind, Read, Write};
use std::time::{Duration, Instant};

fn poll_once(poll: &mut Poll, events: &mut Events, timeout: Duration) -> io::Result<Vec<String>> {
    poll.poll(events, Some(timeout))?;
    let mut found: Vec<_> = events
        .iter()
        .map(|event| {
            let mut text = format!("{}", event.token().0);
            for (is, what) in [
                (event.is_readable(), " readable"),
                (event.is_writable(), " writable"),
                (event.is_read_closed(), " read-closed"),
                (event.is_write_closed(), " write-closed"),
                (event.is_error(), " error"),
            ] {
                if is {
                    text += what;
                }
            }
            text
        })
        .collect();
    found.sort();
    Ok(found)
}

fn main() -> io::Result<()> {
    let mut poll = Poll::new()?;
    let mut events = Events::with_capacity(16);
    let (pause, patience) = (Duration::from_millis(10), Duration::from_secs(5));
    let start = Instant::now();
    println!("{:?}", poll_once(&mut poll, &mut events, pause)?);
    println!("waited {}", start.elapsed() >= pause);

    let (mut left, mut right) = UnixStream::pair()?;
    poll.registry().register(&mut left, Token(1), Interest::READABLE)?;
    println!("{:?}", poll_once(&mut poll, &mut events, pause)?);
    right.write_all(b"hello")?;
    println!("{:?}", poll_once(&mut poll, &mut events, patience)?);
    // An edge is told once, until there is something new.
    println!("{:?}", poll_once(&mut poll, &mut events, pause)?);
    right.write_all(b" again")?;
    println!("{:?}", poll_once(&mut poll, &mut events, patience)?);
    let mut buffer = [0; 32];
    println!("{}", left.read(&mut buffer)?);
    println!("{:?}", left.read(&mut buffer).map_err(|error| error.kind()));

    poll.registry().reregister(&mut left, Token(2), Interest::READABLE | Interest::WRITABLE)?;
    println!("{:?}", poll_once(&mut poll, &mut events, patience)?);
    poll.registry().register(&mut right, Token(3), Interest::WRITABLE)?;
    println!("{:?}", poll_once(&mut poll, &mut events, patience)?);
    println!("{:?}", poll.registry().register(&mut right, Token(4), Interest::READABLE).map_err(|it| it.kind()));
    poll.registry().deregister(&mut right)?;
    println!("{:?}", poll.registry().deregister(&mut right).map_err(|it| it.kind()));
    drop(right);
    println!("{:?}", poll_once(&mut poll, &mut events, patience)?);
    println!("{:?}", left.read(&mut buffer));
    let error = left.write(b"x").unwrap_err();
    println!("{:?} {}", error.kind(), error.kind() == ErrorKind::BrokenPipe);
    poll.registry().deregister(&mut left)?;
    println!("{:?}", poll_once(&mut poll, &mut events, pause)?);
    Ok(())
}
