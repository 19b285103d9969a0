use std::sync::{Arc, Mutex};

#[derive(Default)]
struct Index {
    names: Mutex<Vec<String>>,
    entries: Mutex<Vec<Entry>>,
}

struct Entry {
    name: String,
    index: Arc<Index>,
}

impl Drop for Entry {
    fn drop(&mut self) {
        self.index.names.lock().unwrap().retain(|name| *name != self.name);
    }
}

impl Index {
    fn add(self: &Arc<Index>, name: &str) {
        self.names.lock().unwrap().push(name.to_string());
        self.entries.lock().unwrap().push(Entry { name: name.to_string(), index: self.clone() });
    }

    fn replace(self: &Arc<Index>, name: &str) -> usize {
        let entry = Entry { name: name.to_string(), index: self.clone() };
        let old = {
            let mut entries = self.entries.lock().unwrap();
            let names = self.names.lock().unwrap();
            std::mem::replace(&mut entries[names.len() - 1], entry)
        };
        drop(old);
        self.names.lock().unwrap().len()
    }
}

// The old entry, whose destructor locks, leaves the block in which the locks are held.
fn main() {
    let index = Arc::new(Index::default());
    index.add("one");
    println!("{}", index.replace("two"));
    let entries = std::mem::take(&mut *index.entries.lock().unwrap());
    drop(entries);
}
