//! Threads that read from sockets put what they find into one channel; the main loop also has a clock.
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

#[allow(dead_code, reason = "only `Debug` reads the fields")]
#[derive(Debug)]
enum Event {
    Line(usize, String),
    Closed(usize),
}

fn watch(id: usize, stream: TcpStream, events: Sender<Event>) {
    for line in BufReader::new(stream).lines() {
        match line {
            Ok(line) => events.send(Event::Line(id, line)).unwrap(),
            Err(_) => break,
        }
    }
    events.send(Event::Closed(id)).unwrap();
}

fn main() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let (events, received) = mpsc::channel();
    let mut ends = Vec::new();
    for id in 0..3 {
        ends.push(TcpStream::connect(address).unwrap());
        let (stream, _) = listener.accept().unwrap();
        let events = events.clone();
        thread::spawn(move || watch(id, stream, events));
    }
    drop(events);

    let quiet = received.recv_timeout(Duration::from_millis(10));
    println!("nothing was said: {}", matches!(quiet, Err(RecvTimeoutError::Timeout)));

    for (round, word) in ["alpha", "beta"].into_iter().enumerate() {
        for end in &mut ends {
            writeln!(end, "{word}").unwrap();
        }
        let mut lines: Vec<_> = received.iter().take(3).map(|event| format!("{event:?}")).collect();
        lines.sort();
        println!("round {round}: {lines:?}");
    }
    ends.pop();
    println!("{:?}", received.recv().unwrap());
    writeln!(ends[0], "last words\nreally").unwrap();
    println!("{:?} {:?}", received.recv().unwrap(), received.recv().unwrap());
    drop(ends);
    let mut rest: Vec<_> = received.iter().map(|event| format!("{event:?}")).collect();
    rest.sort();
    println!("{rest:?}");
    println!("{:?}", received.recv_timeout(Duration::from_millis(10)).unwrap_err());
}
