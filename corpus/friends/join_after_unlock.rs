use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

#[derive(Default)]
struct Group {
    workers: Mutex<Vec<JoinHandle<()>>>,
    names: Mutex<Vec<String>>,
}

impl Group {
    fn start(self: &Arc<Group>, name: &str) {
        let (own, name) = (self.clone(), name.to_string());
        let worker = thread::spawn(move || {
            let started = own.workers.lock().unwrap().len();
            own.names.lock().unwrap().push(format!("{name} {}", started < 3));
        });
        self.workers.lock().unwrap().push(worker);
    }

    fn wait(&self) {
        let workers = std::mem::take(&mut *self.workers.lock().unwrap());
        for worker in workers {
            worker.join().unwrap();
        }
    }
}

// The handles are taken out under the lock and joined without it.
fn main() {
    let group = Arc::new(Group::default());
    group.start("left");
    group.start("right");
    group.wait();
    println!("{}", group.names.lock().unwrap().len());
}
