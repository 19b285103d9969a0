use std::sync::{Arc, RwLock};
use std::thread;

struct Rates {
    table: RwLock<(u32, u32)>,
}

impl Rates {
    fn refresh(&self, day: u32) -> u32 {
        let table = self.table.read().unwrap();
        if table.0 == day {
            return table.1;
        }
        drop(table);
        let mut table = self.table.write().unwrap();
        *table = (day, day * 7);
        table.1
    }
}

// The read guard is still held when the same thread asks to write.
fn main() {
    let rates = Arc::new(Rates { table: RwLock::new((0, 0)) });
    let other = {
        let rates = rates.clone();
        thread::spawn(move || rates.refresh(0))
    };
    println!("{}", rates.refresh(1));
    other.join().unwrap();
}
