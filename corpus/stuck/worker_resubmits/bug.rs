use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

enum Task {
    Download { url: String, tries: u32 },
}

struct Crawler {
    tasks: Receiver<Task>,
    again: Sender<Task>,
    fetched: Vec<String>,
}

impl Crawler {
    fn run(mut self) -> Vec<String> {
        while let Ok(task) = self.tasks.recv() { //~ deadlock
            match task {
                Task::Download { url, tries } if url.len() % 2 == 1 && tries < 2 => {
                    self.again.send(Task::Download { url, tries: tries + 1 }).unwrap();
                }
                Task::Download { url, .. } => self.fetched.push(url),
            }
        }
        self.fetched
    }
}

// The crawler has a sender of its own queue to try again, so the queue is never closed.
fn main() {
    let (sender, tasks) = mpsc::channel();
    let crawler = Crawler { tasks, again: sender.clone(), fetched: Vec::new() };
    let worker = thread::spawn(move || crawler.run());
    for url in ["a.example", "bb.example"] {
        sender.send(Task::Download { url: url.to_string(), tries: 0 }).unwrap();
    }
    drop(sender);
    println!("{}", worker.join().unwrap().len()); //~ deadlock
}
