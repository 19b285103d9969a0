use std::ops::Deref;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

struct Connection(u32);

struct Pool {
    idle: Mutex<Vec<Connection>>,
    returned: Condvar,
}

struct Lease<'a> {
    pool: &'a Pool,
    connection: Option<Connection>,
}

impl Deref for Lease<'_> {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        self.connection.as_ref().expect("leased")
    }
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        if let Some(connection) = self.connection.take() {
            self.pool.idle.lock().unwrap().push(connection);
            self.pool.returned.notify_one();
        }
    }
}

impl Pool {
    fn get(&self) -> Lease<'_> {
        let idle = self.idle.lock().unwrap();
        let mut idle = self.returned.wait_while(idle, |idle| idle.is_empty()).unwrap(); //~ deadlock
        Lease { pool: self, connection: idle.pop() }
    }
}

fn copy(pool: &Pool, rows: u32) -> u32 {
    let source = pool.get();
    let target = pool.get();
    source.0 + target.0 + rows
}

// Each copy leases two connections one after the other, and two copies can have one each.
fn main() {
    let pool = Arc::new(Pool { idle: Mutex::new(vec![Connection(1), Connection(2)]), returned: Condvar::new() });
    let other = {
        let pool = Arc::clone(&pool);
        thread::spawn(move || copy(&pool, 10))
    };
    let sum = copy(&pool, 20);
    println!("{}", sum + other.join().unwrap());
}
