use std::collections::HashMap;
use std::sync::{Arc, Mutex, Weak};

#[derive(Default)]
struct Registry {
    names: Mutex<HashMap<u32, Connection>>,
    closed: Mutex<Vec<u32>>,
}

struct Connection {
    id: u32,
    registry: Weak<Registry>,
}

impl Drop for Connection {
    fn drop(&mut self) {
        if let Some(registry) = self.registry.upgrade() {
            let left = registry.names.lock().unwrap().len();
            registry.closed.lock().unwrap().push(self.id * 10 + left as u32);
        }
    }
}

impl Registry {
    fn open(self: &Arc<Registry>, id: u32) {
        let connection = Connection { id, registry: Arc::downgrade(self) };
        self.names.lock().unwrap().insert(id, connection);
    }

    fn close_all(&self) {
        let names = std::mem::take(&mut *self.names.lock().unwrap());
        drop(names);
    }
}

// Clearing the map drops its elements under the lock that their destructor takes.
fn main() {
    let registry = Arc::new(Registry::default());
    registry.open(1);
    registry.close_all();
    println!("{:?}", registry.closed.lock().unwrap());
}
