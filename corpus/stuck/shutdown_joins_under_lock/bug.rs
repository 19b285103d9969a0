use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

#[derive(Default)]
struct Supervisor {
    workers: Mutex<BTreeMap<u32, JoinHandle<()>>>,
    finished: Mutex<Vec<u32>>,
}

impl Supervisor {
    fn start(self: &Arc<Supervisor>, id: u32) {
        let own = self.clone();
        let mut workers = self.workers.lock().unwrap();
        workers.insert(id, thread::spawn(move || own.work(id)));
    }

    fn work(&self, id: u32) {
        let running = self.workers.lock().unwrap().len(); //~ deadlock
        self.finished.lock().unwrap().push(id * 10 + running as u32);
    }

    fn shut_down(&self) {
        let mut workers = self.workers.lock().unwrap();
        while let Some((_, worker)) = workers.pop_first() {
            worker.join().unwrap(); //~ deadlock
        }
    }
}

// The supervisor joins its workers under the lock that they take on their way.
fn main() {
    let supervisor = Arc::new(Supervisor::default());
    supervisor.start(1);
    supervisor.start(2);
    supervisor.shut_down();
    println!("{}", supervisor.finished.lock().unwrap().len());
}
