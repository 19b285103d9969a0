use std::sync::mpsc::{self, Sender};
use std::thread::{self, JoinHandle};

struct JoinOnDrop(Option<JoinHandle<()>>);

impl Drop for JoinOnDrop {
    fn drop(&mut self) {
        if let Some(handle) = self.0.take() {
            handle.join().unwrap();
        }
    }
}

struct Writer {
    lines: Sender<String>,
    _thread: JoinOnDrop,
}

impl Writer {
    fn start(prefix: &'static str) -> Writer {
        let (lines, queue) = mpsc::channel::<String>();
        let thread = thread::spawn(move || {
            for line in queue {
                println!("{prefix}{line}");
            }
        });
        Writer { _thread: JoinOnDrop(Some(thread)), lines }
    }

    fn write(&self, line: &str) {
        self.lines.send(line.to_owned()).unwrap();
    }
}

// Fields are dropped in the order of their declaration: the thread is joined before its queue is closed.
fn main() {
    let writer = Writer::start("> ");
    writer.write("first");
    writer.write("second");
    drop(writer);
    println!("closed");
}
