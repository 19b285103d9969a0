use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

type Job = Box<dyn FnOnce() + Send>;

enum Message {
    Run(Job),
    Stop,
}

struct ThreadPool {
    sender: Sender<Message>,
    workers: Vec<JoinHandle<u32>>,
}

fn work(messages: &Mutex<Receiver<Message>>) -> u32 {
    let mut done = 0;
    loop {
        let message = messages.lock().unwrap().recv(); //~ deadlock
        match message {
            Ok(Message::Run(job)) => {
                job();
                done += 1;
            }
            Ok(Message::Stop) | Err(_) => return done,
        }
    }
}

impl ThreadPool {
    fn new(size: usize) -> ThreadPool {
        let (sender, receiver) = mpsc::channel();
        let receiver = Arc::new(Mutex::new(receiver));
        let workers = (0..size)
            .map(|_| {
                let receiver = Arc::clone(&receiver);
                thread::spawn(move || work(&receiver))
            })
            .collect();
        ThreadPool { sender, workers }
    }

    fn run(&self, job: impl FnOnce() + Send + 'static) {
        self.sender.send(Message::Run(Box::new(job))).unwrap();
    }

    fn shut_down(mut self) -> u32 {
        for _ in 1..self.workers.len() {
            self.sender.send(Message::Stop).unwrap();
        }
        self.workers.drain(..).map(|worker| worker.join().unwrap()).sum() //~ deadlock
    }
}

// One worker more than there are stop messages waits for the next message.
fn main() {
    let pool = ThreadPool::new(2);
    for n in 0..3 {
        pool.run(move || println!("job {n}"));
    }
    println!("{} jobs", pool.shut_down());
}
