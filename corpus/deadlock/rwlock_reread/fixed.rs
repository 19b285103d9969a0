use std::sync::{Arc, RwLock};
use std::thread;

struct Table {
    rows: RwLock<Vec<u32>>,
}

impl Table {
    fn len(&self) -> usize {
        self.rows.read().unwrap().len()
    }

    fn last(&self) -> Option<u32> {
        let len = self.len();
        let rows = self.rows.read().unwrap();
        rows.get(len.wrapping_sub(1)).copied()
    }
}

// A writer that comes between the two reads waits for the first and blocks the second.
fn main() {
    let table = Arc::new(Table { rows: RwLock::new(vec![1]) });
    let writer = {
        let table = table.clone();
        thread::spawn(move || table.rows.write().unwrap().push(2))
    };
    println!("{}", table.last().is_some());
    writer.join().unwrap();
}
