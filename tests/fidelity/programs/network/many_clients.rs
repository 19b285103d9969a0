//! A thread for each connection; every client checks its own answers.
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

const CLIENTS: usize = 6;

fn handle(stream: TcpStream, served: &AtomicUsize) {
    let mut writer = stream.try_clone().expect("clone");
    for line in BufReader::new(stream).lines() {
        let line = line.expect("a line");
        let number: u64 = line.parse().expect("a number");
        writeln!(writer, "{}", number * number).expect("an answer");
        served.fetch_add(1, Ordering::Relaxed);
    }
}

fn client(id: u64, address: SocketAddr) -> Vec<u64> {
    let stream = TcpStream::connect(address).expect("connect");
    let mut writer = stream.try_clone().expect("clone");
    let mut answers = BufReader::new(stream).lines();
    (0..4)
        .map(|step| {
            writeln!(writer, "{}", id * 10 + step).expect("a question");
            answers.next().expect("not closed").expect("a line").parse().expect("a number")
        })
        .collect()
}

fn main() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("bind");
    let address = listener.local_addr().expect("address");
    let served = Arc::new(AtomicUsize::new(0));
    let counter = served.clone();
    let server = thread::spawn(move || {
        let mut handlers = Vec::new();
        for _ in 0..CLIENTS {
            let (stream, _) = listener.accept().expect("accept");
            let counter = counter.clone();
            handlers.push(thread::spawn(move || handle(stream, &counter)));
        }
        for handler in handlers {
            handler.join().expect("handler");
        }
    });
    let clients: Vec<_> = (0..CLIENTS as u64).map(|id| thread::spawn(move || client(id, address))).collect();
    for (id, client) in clients.into_iter().enumerate() {
        println!("client {id}: {:?}", client.join().expect("client"));
    }
    server.join().expect("server");
    println!("{} questions", served.load(Ordering::Relaxed));
}
