use std::collections::HashSet;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex};

#[derive(Clone)]
struct Tag {
    names: Arc<Mutex<Vec<String>>>,
    index: usize,
}

impl Hash for Tag {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.names.lock().unwrap()[self.index].hash(state);
    }
}

impl PartialEq for Tag {
    fn eq(&self, other: &Tag) -> bool {
        self.index == other.index
    }
}

impl Eq for Tag {}

// Inserting into the set hashes the tag, which locks the names that are already locked.
fn main() {
    let names = Arc::new(Mutex::new(vec!["red".to_string(), "green".to_string()]));
    let mut used = HashSet::new();
    let count = names.lock().unwrap().len();
    for index in 0..count {
        used.insert(Tag { names: names.clone(), index });
    }
    println!("{}", used.len());
}
