use std::sync::mpsc::{self, Sender, SyncSender};
use std::thread::{self, JoinHandle};

enum Entry {
    Line(String),
    Flush(SyncSender<usize>),
}

#[derive(Clone)]
struct Logger {
    entries: Sender<Entry>,
}

impl Logger {
    fn start() -> (Logger, JoinHandle<usize>) {
        let (entries, written) = mpsc::channel();
        let logger = Logger { entries };
        let own = logger.clone();
        let thread = thread::spawn(move || {
            let mut lines = 0;
            for entry in written {
                match entry {
                    Entry::Line(line) if line.starts_with("fatal") => {
                        lines += 1;
                        own.flush();
                    }
                    Entry::Line(line) if line == "end" => return lines,
                    Entry::Line(_) => lines += 1,
                    Entry::Flush(done) => done.send(lines).unwrap(),
                }
            }
            lines
        });
        (logger, thread)
    }

    fn log(&self, line: &str) {
        self.entries.send(Entry::Line(line.to_string())).unwrap();
    }

    fn flush(&self) -> usize {
        let (done, flushed) = mpsc::sync_channel(0);
        self.entries.send(Entry::Flush(done)).unwrap();
        flushed.recv().unwrap() //~ deadlock
    }
}

// After a fatal line the logger's thread asks itself to flush and waits for the answer.
fn main() {
    let (logger, thread) = Logger::start();
    logger.log("info: started");
    println!("{}", logger.flush());
    logger.log("fatal: disk full");
    logger.log("end");
    println!("{}", thread.join().unwrap() >= 2); //~ deadlock
}
