//! A client that sends all its requests before it reads the first answer; answers carry the numbers of their requests.
use std::collections::HashMap;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc;
use std::thread;

fn collatz(mut number: u64) -> usize {
    let mut steps = 0;
    while number != 1 {
        number = if number % 2 == 0 { number / 2 } else { 3 * number + 1 };
        steps += 1;
    }
    steps
}

/// Works on the requests of one connection in several threads, which answer in any order.
fn serve(stream: TcpStream) {
    let (answers, results) = mpsc::channel::<(u32, usize)>();
    let mut out = BufWriter::new(stream.try_clone().unwrap());
    let writer = thread::spawn(move || {
        for (id, steps) in results {
            writeln!(out, "{id} {steps}").unwrap();
        }
        out.flush().unwrap();
    });
    thread::scope(|scope| {
        for line in BufReader::new(&stream).lines() {
            let line = line.unwrap();
            let (id, number) = line.split_once(' ').unwrap();
            let (id, number) = (id.parse().unwrap(), number.parse().unwrap());
            let answers = answers.clone();
            scope.spawn(move || answers.send((id, collatz(number))).unwrap());
        }
    });
    drop(answers);
    writer.join().unwrap();
}

fn main() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let server = thread::spawn(move || serve(listener.accept().unwrap().0));

    let numbers = [27, 1, 97, 6, 19, 64];
    let stream = TcpStream::connect(address).unwrap();
    let mut requests = String::new();
    let mut open = HashMap::new();
    for (id, number) in numbers.iter().enumerate() {
        requests += &format!("{id} {number}\n");
        open.insert(id, number);
    }
    (&stream).write_all(requests.as_bytes()).unwrap();
    stream.shutdown(std::net::Shutdown::Write).unwrap();

    let mut answers = Vec::new();
    for line in BufReader::new(stream).lines() {
        let line = line.unwrap();
        let (id, steps) = line.split_once(' ').unwrap();
        let id: usize = id.parse().unwrap();
        let number = open.remove(&id).expect("each is answered once");
        answers.push((id, number, steps.to_owned()));
    }
    answers.sort();
    for (id, number, steps) in &answers {
        println!("{id}: {number} takes {steps} steps");
    }
    println!("{} without answer", open.len());
    server.join().unwrap();
}
