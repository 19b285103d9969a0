use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

struct Stage {
    name: &'static str,
    before: Receiver<JoinHandle<()>>,
    done: Sender<&'static str>,
}

impl Stage {
    fn run(self) {
        let before = self.before.recv().unwrap();
        before.join().unwrap(); //~ deadlock
        self.done.send(self.name).unwrap();
    }
}

// Each of three stages waits for the end of the one before it, and the first for that of the last.
fn main() {
    let (done, names) = channel();
    let mut stages = Vec::new();
    let mut inputs = Vec::new();
    for name in ["read", "parse", "write"] {
        let (input, before) = channel();
        let stage = Stage { name, before, done: done.clone() };
        stages.push(thread::spawn(move || stage.run()));
        inputs.push(input);
    }
    drop(done);
    inputs.rotate_left(1);
    for (input, stage) in inputs.iter().zip(stages) {
        input.send(stage).unwrap();
    }
    for name in names { //~ deadlock
        println!("{}", name.len());
    }
}
