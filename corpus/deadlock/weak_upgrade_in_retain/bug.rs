use std::collections::HashMap;
use std::sync::{Arc, Mutex, Weak};
use std::thread;

#[derive(Default)]
struct Registry {
    live: Mutex<HashMap<u32, Weak<Connection>>>,
    closed: Mutex<u32>,
}

struct Connection {
    id: u32,
    registry: Arc<Registry>,
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.registry.live.lock().unwrap().remove(&self.id); //~ deadlock
        *self.registry.closed.lock().unwrap() += 1;
    }
}

impl Registry {
    fn connect(self: &Arc<Self>, id: u32) -> Arc<Connection> {
        let connection = Arc::new(Connection { id, registry: self.clone() });
        self.live.lock().unwrap().insert(id, Arc::downgrade(&connection));
        connection
    }

    fn ids(&self) -> Vec<u32> {
        let live = self.live.lock().unwrap();
        let mut ids: Vec<u32> = live.values().filter_map(Weak::upgrade).map(|it| it.id).collect();
        ids.sort();
        ids
    }
}

// While `ids` looks at a connection the other owner may let go of it, and its destructor runs under the lock.
fn main() {
    let registry = Arc::new(Registry::default());
    let first = registry.connect(1);
    let second = registry.connect(2);
    let client = thread::spawn(move || {
        println!("done with {}", second.id);
        drop(second);
    });
    println!("{:?}", registry.ids().first());
    client.join().unwrap();
    drop(first);
    println!("{}", registry.closed.lock().unwrap());
}
