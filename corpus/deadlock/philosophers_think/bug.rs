use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

const SEATS: usize = 5;

struct Table {
    forks: [Mutex<u32>; SEATS],
}

impl Table {
    fn think_and_dine(&self, seat: usize) {
        thread::sleep(Duration::from_secs(1));
        let (left, right) = (seat, (seat + 1) % SEATS);
        let mut first = self.forks[left].lock().unwrap();
        let mut second = self.forks[right].lock().unwrap(); //~ deadlock
        *first += 1;
        *second += 1;
    }
}

// All philosophers think for a second, then each takes the fork on the left first.
fn main() {
    let table = Arc::new(Table { forks: Default::default() });
    let guests: Vec<_> = (0..SEATS)
        .map(|seat| {
            let table = table.clone();
            thread::spawn(move || table.think_and_dine(seat))
        })
        .collect();
    for guest in guests {
        guest.join().unwrap();
    }
    let uses: u32 = table.forks.iter().map(|fork| *fork.lock().unwrap()).sum();
    println!("{uses}");
}
