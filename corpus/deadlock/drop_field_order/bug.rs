use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;

#[derive(Default)]
struct Store {
    sessions: Mutex<Vec<u32>>,
    audit: Mutex<Vec<String>>,
}

struct Session {
    store: Arc<Store>,
    id: u32,
}

impl Session {
    fn open(store: &Arc<Store>, id: u32) -> Session {
        store.sessions.lock().unwrap().push(id);
        Session { store: store.clone(), id }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let mut sessions = self.store.sessions.lock().unwrap();
        sessions.retain(|&id| id != self.id);
        self.store.audit.lock().unwrap().push(format!("closed {}", self.id)); //~ deadlock
    }
}

fn report(store: &Store) -> usize {
    let audit: MutexGuard<'_, Vec<String>> = store.audit.lock().unwrap();
    let open = store.sessions.lock().unwrap().len(); //~ deadlock
    audit.len() + open
}

// A session's destructor locks the sessions first, the report locks the audit first.
fn main() {
    let store = Arc::new(Store::default());
    let clerk = {
        let store = store.clone();
        thread::spawn(move || {
            for id in 0..2 {
                let session = Session::open(&store, id);
                println!("session {}", session.id);
            }
        })
    };
    println!("{} entries", report(&store));
    clerk.join().unwrap();
}
