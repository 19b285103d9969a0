use std::sync::{Arc, Condvar, Mutex};
use std::thread;

struct Semaphore {
    permits: Mutex<u32>,
    returned: Condvar,
}

struct Permit<'a>(&'a Semaphore);

impl Semaphore {
    fn acquire(&self) -> Permit<'_> {
        let mut permits = self.returned.wait_while(self.permits.lock().unwrap(), |permits| *permits == 0).unwrap();
        *permits -= 1;
        Permit(self)
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        *self.0.permits.lock().unwrap() += 1;
        self.0.returned.notify_one();
    }
}

fn fetch(connections: &Semaphore, page: u32) -> Result<u32, String> {
    let _permit = connections.acquire();
    if page == 2 { Err(format!("no page {page}")) } else { Ok(page * 10) }
}

// Whichever way out is taken, the permit goes back.
fn main() {
    let connections = Arc::new(Semaphore { permits: Mutex::new(1), returned: Condvar::new() });
    let pages = [1, 2, 3].map(|page| {
        let connections = connections.clone();
        thread::spawn(move || fetch(&connections, page))
    });
    println!("{:?}", pages.map(|page| page.join().unwrap().ok()));
}
