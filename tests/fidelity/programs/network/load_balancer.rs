//! A balancer in front of three workers, one of which does not answer in time and one of which is gone.
use std::io::{self, BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Clone, Copy)]
enum Kind {
    Good,
    Silent,
    Gone,
}

fn worker(kind: Kind) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    if kind != Kind::Gone {
        thread::spawn(move || {
            let mut open = Vec::new();
            for stream in listener.incoming() {
                let stream = stream.unwrap();
                if kind == Kind::Silent {
                    open.push(stream);
                    continue;
                }
                let mut line = String::new();
                BufReader::new(&stream).read_line(&mut line).unwrap();
                writeln!(&stream, "{}", line.trim().chars().rev().collect::<String>()).unwrap();
            }
        });
    }
    address
}

fn ask(address: SocketAddr, question: &str, patience: Duration) -> io::Result<String> {
    let stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(patience))?;
    writeln!(&stream, "{question}")?;
    let mut answer = String::new();
    match BufReader::new(&stream).read_line(&mut answer)? {
        0 => Err(io::ErrorKind::UnexpectedEof.into()),
        _ => Ok(answer.trim_end().to_owned()),
    }
}

struct Balancer {
    workers: Vec<(Kind, SocketAddr, Duration)>,
    next: AtomicUsize,
}

impl Balancer {
    fn ask(&self, question: &str, failures: &mpsc::Sender<(Kind, io::ErrorKind)>) -> Option<String> {
        for _ in 0..self.workers.len() {
            let (kind, address, patience) = self.workers[self.next.fetch_add(1, Ordering::SeqCst) % self.workers.len()];
            match ask(address, question, patience) {
                Ok(answer) => return Some(answer),
                Err(error) => failures.send((kind, error.kind())).unwrap(),
            }
        }
        None
    }
}

fn main() {
    let workers = [(Kind::Gone, 5000), (Kind::Silent, 30), (Kind::Good, 5000)]
        .map(|(kind, patience)| (kind, worker(kind), Duration::from_millis(patience)));
    let (failures, failed) = mpsc::channel();
    let balancer = Balancer { workers: workers.to_vec(), next: AtomicUsize::new(0) };
    for question in ["stressed", "desserts"] {
        println!("{question}: {:?}", balancer.ask(question, &failures));
    }
    let broken = Balancer { workers: workers[..1].to_vec(), next: AtomicUsize::new(0) };
    println!("{:?}", broken.ask("anybody?", &failures));
    drop(failures);
    for (kind, why) in failed {
        println!("{kind:?}: {why:?}");
    }
}
