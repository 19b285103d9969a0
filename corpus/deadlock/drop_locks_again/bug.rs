use std::sync::{Arc, Mutex};

#[derive(Default)]
struct Pool {
    free: Mutex<Vec<u32>>,
}

struct Lease {
    pool: Arc<Pool>,
    id: u32,
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.pool.free.lock().unwrap().push(self.id); //~ deadlock
    }
}

impl Pool {
    fn take(self: &Arc<Pool>) -> Lease {
        let id = self.free.lock().unwrap().pop().unwrap_or(0);
        Lease { pool: self.clone(), id }
    }

    fn exchange(&self, lease: Lease) -> usize {
        let mut free = self.free.lock().unwrap();
        drop(lease);
        free.sort();
        free.len()
    }
}

// A lease goes back to the pool when it is dropped, and it is dropped under the pool's lock.
fn main() {
    let pool = Arc::new(Pool::default());
    pool.free.lock().unwrap().extend([1, 2, 3]);
    let lease = pool.take();
    println!("{}", pool.exchange(lease));
}
