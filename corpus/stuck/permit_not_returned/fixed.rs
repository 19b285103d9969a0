use std::sync::{Arc, Condvar, Mutex};
use std::thread;

struct Semaphore {
    permits: Mutex<u32>,
    returned: Condvar,
}

impl Semaphore {
    fn acquire(&self) {
        let permits = self.permits.lock().unwrap();
        let mut permits = self.returned.wait_while(permits, |permits| *permits == 0).unwrap();
        *permits -= 1;
    }

    fn release(&self) {
        *self.permits.lock().unwrap() += 1;
        self.returned.notify_one();
    }
}

fn upload(connections: &Semaphore, size: usize) -> Result<usize, String> {
    connections.acquire();
    if size > 100 {
        connections.release();
        return Err(format!("{size} is too large"));
    }
    connections.release();
    Ok(size)
}

// The way out with an error keeps the permit, and the next upload waits for it.
fn main() {
    let connections = Arc::new(Semaphore { permits: Mutex::new(1), returned: Condvar::new() });
    let other = {
        let connections = connections.clone();
        thread::spawn(move || upload(&connections, 500))
    };
    println!("{}", other.join().unwrap().is_err());
    println!("{:?}", upload(&connections, 20));
}
