//! A fixed number of workers serve all connections.
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

type Job = Box<dyn FnOnce() + Send>;

struct Pool {
    jobs: Option<Sender<Job>>,
    workers: Vec<JoinHandle<usize>>,
}

impl Pool {
    fn new(size: usize) -> Pool {
        let (jobs, queue) = mpsc::channel::<Job>();
        let queue = Arc::new(Mutex::new(queue));
        let workers = (0..size)
            .map(|number| {
                let queue = queue.clone();
                thread::Builder::new()
                    .name(format!("worker-{number}"))
                    .spawn(move || {
                        let mut done = 0;
                        loop {
                            let job = queue.lock().unwrap().recv();
                            match job {
                                Ok(job) => job(),
                                Err(_) => return done,
                            }
                            done += 1;
                        }
                    })
                    .unwrap()
            })
            .collect();
        Pool { jobs: Some(jobs), workers }
    }

    fn execute(&self, job: impl FnOnce() + Send + 'static) {
        self.jobs.as_ref().expect("still open").send(Box::new(job)).expect("workers");
    }

    fn finish(mut self) -> usize {
        self.jobs.take();
        self.workers.drain(..).map(|it| it.join().unwrap()).sum()
    }
}

fn handle(stream: TcpStream) {
    let mut reader = BufReader::new(&stream);
    let mut line = String::new();
    reader.read_line(&mut line).unwrap();
    let text = match line.trim() {
        "" => "nothing to do".to_owned(),
        text => format!("{} letters, {} of them vowels", text.len(), text.matches(&['a', 'e', 'i', 'o', 'u']).count()),
    };
    (&stream).write_all(text.as_bytes()).unwrap();
}

fn main() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let words = ["programming", "", "sky", "queue", "interpreter", "a", "rhythm"];
    let server = thread::spawn(move || {
        let pool = Pool::new(3);
        for stream in listener.incoming().take(words.len()) {
            let stream = stream.unwrap();
            pool.execute(move || handle(stream));
        }
        pool.finish()
    });
    let clients = words.map(|word| {
        thread::spawn(move || {
            let mut stream = TcpStream::connect(address).unwrap();
            writeln!(stream, "{word}").unwrap();
            let mut answer = String::new();
            stream.read_to_string(&mut answer).unwrap();
            answer
        })
    });
    for (word, client) in words.iter().zip(clients) {
        println!("{word:?}: {}", client.join().unwrap());
    }
    println!("{} jobs", server.join().unwrap());
}
