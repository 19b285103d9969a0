use std::collections::HashMap;
use std::sync::{Arc, RwLock};
use std::thread;

struct Cache {
    pages: RwLock<HashMap<u32, String>>,
}

impl Cache {
    fn get(&self, page: u32) -> String {
        if let Some(text) = self.pages.read().unwrap().get(&page) {
            return text.clone();
        }
        let mut pages = self.pages.write().unwrap();
        pages.entry(page).or_insert_with(|| format!("page {page}")).clone()
    }
}

// The read guard is gone before the write lock is asked for, and the map is looked at again.
fn main() {
    let cache = Arc::new(Cache { pages: RwLock::default() });
    let readers = [1, 1, 2].map(|page| {
        let cache = cache.clone();
        thread::spawn(move || cache.get(page))
    });
    println!("{:?}", readers.map(|reader| reader.join().unwrap()));
}
