use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

#[derive(Default)]
struct Table {
    rows: Mutex<Vec<u64>>,
    slow: Mutex<u32>,
}

impl Table {
    fn insert(&self, row: u64) {
        let start = Instant::now();
        self.rows.lock().unwrap().push(row);
        if start.elapsed() > Duration::from_micros(500) {
            *self.slow.lock().unwrap() += 1;
        }
    }

    fn share_of_slow(&self) -> f64 {
        let slow = self.slow.lock().unwrap();
        f64::from(*slow) / self.rows.lock().unwrap().len().max(1) as f64
    }
}

// An insertion that takes over 500 us counts itself after it has released the rows.
fn main() {
    let table = Arc::new(Table::default());
    let writer = thread::spawn({
        let table = table.clone();
        move || (0..3).for_each(|row| table.insert(row))
    });
    let share = table.share_of_slow();
    writer.join().unwrap();
    println!("{}", share <= 1.0);
}
