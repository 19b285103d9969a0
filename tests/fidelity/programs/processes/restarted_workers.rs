//! A supervisor hands jobs to worker processes and starts a new one when a worker breaks.
use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

fn worker() {
    for line in io::stdin().lines() {
        let number: i32 = line.unwrap().parse().unwrap();
        assert!(number != 13, "unlucky");
        println!("{}", 1000 / number);
    }
}

struct Worker {
    child: Child,
    out: BufReader<std::process::ChildStdout>,
}

impl Worker {
    fn start() -> Worker {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .arg("worker")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        Worker { child, out }
    }

    fn work(&mut self, number: i32) -> Option<String> {
        writeln!(self.child.stdin.as_mut()?, "{number}").ok()?;
        let mut line = String::new();
        match self.out.read_line(&mut line) {
            Ok(0) | Err(_) => None,
            Ok(_) => Some(line.trim_end().to_owned()),
        }
    }
}

fn main() {
    if std::env::args().nth(1).is_some() {
        return worker();
    }
    let mut jobs: VecDeque<(i32, u32)> = [10, 7, 0, 250, 13, 1].map(|number| (number, 1)).into();
    let mut current = Worker::start();
    let mut started = 1;
    while let Some((number, attempt)) = jobs.pop_front() {
        match current.work(number) {
            Some(answer) => println!("{number}: {answer}"),
            None => {
                let status = current.child.wait().unwrap();
                println!("{number}: the worker ended with {:?}, attempt {attempt}", status.code());
                if attempt < 2 {
                    jobs.push_back((number, attempt + 1));
                }
                current = Worker::start();
                started += 1;
            }
        }
    }
    drop(current.child.stdin.take());
    println!("{} workers, the last one ended well: {}", started, current.child.wait().unwrap().success());
}
