use std::sync::{Arc, Mutex};

struct Folder {
    name: &'static str,
    entries: Mutex<Vec<Arc<Folder>>>,
}

impl Folder {
    fn new(name: &'static str) -> Arc<Folder> {
        Arc::new(Folder { name, entries: Mutex::default() })
    }

    fn add(&self, folder: &Arc<Folder>) {
        self.entries.lock().unwrap().push(folder.clone());
    }

    fn count(&self, depth: u32) -> usize {
        if depth == 0 {
            return 0;
        }
        let entries = self.entries.lock().unwrap(); //~ deadlock
        1 + entries.iter().map(|folder| folder.count(depth - 1)).sum::<usize>()
    }
}

// A link leads back to the folder that is locked while its entries are counted.
fn main() {
    let home = Folder::new("home");
    let link = Folder::new("link");
    home.add(&link);
    link.add(&home);
    println!("{} {}", home.name, home.count(4));
    home.entries.lock().unwrap().clear();
}
