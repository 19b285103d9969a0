use std::sync::{Arc, Mutex};
use std::thread;

#[derive(Default)]
struct Stats {
    opened: Mutex<u32>,
}

struct Pool {
    idle: Mutex<Vec<Connection>>,
    stats: Arc<Stats>,
}

struct Connection {
    id: u32,
}

impl Connection {
    fn open(stats: &Stats) -> Connection {
        let mut opened = stats.opened.lock().unwrap();
        *opened += 1;
        Connection { id: *opened }
    }
}

impl Pool {
    fn get(&self) -> Connection {
        let found = self.idle.lock().unwrap().pop();
        found.unwrap_or_else(|| Connection::open(&self.stats))
    }

    fn put(&self, connection: Connection) {
        self.idle.lock().unwrap().push(connection);
    }

    fn busy(&self) -> usize {
        let opened = self.stats.opened.lock().unwrap();
        *opened as usize - self.idle.lock().unwrap().len()
    }
}

// `get` opens a connection, which locks the counter, under the lock of the idle ones; `busy` has the other order.
fn main() {
    let pool = Arc::new(Pool { idle: Mutex::default(), stats: Arc::default() });
    let client = {
        let pool = pool.clone();
        thread::spawn(move || {
            let connection = pool.get();
            println!("query on {}", connection.id);
            pool.put(connection);
        })
    };
    println!("busy: {}", pool.busy() < 2);
    client.join().unwrap();
}
