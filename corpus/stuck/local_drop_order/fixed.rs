use std::sync::mpsc::{self, Receiver};
use std::thread::{self, JoinHandle};

struct Workers(Vec<JoinHandle<u64>>);

impl Workers {
    fn spawn(&mut self, jobs: Receiver<u64>) {
        self.0.push(thread::spawn(move || jobs.iter().map(|job| job * job).sum()));
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        let sum: u64 = self.0.drain(..).map(|worker| worker.join().unwrap()).sum();
        println!("{sum}");
    }
}

fn run(inputs: &[u64]) -> Result<(), String> {
    let mut workers = Workers(Vec::new());
    let mut senders = Vec::new();
    for _ in 0..2 {
        let (sender, jobs) = mpsc::channel();
        workers.spawn(jobs);
        senders.push(sender);
    }
    for (n, &input) in inputs.iter().enumerate() {
        senders[n % 2].send(input).map_err(|error| error.to_string())?;
    }
    Ok(())
}

// Variables are dropped in reverse: the workers are joined while the senders are still there.
fn main() -> Result<(), String> {
    run(&[1, 2, 3])
}
