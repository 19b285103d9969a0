use std::sync::{Arc, Mutex};
use std::thread;

const SEATS: usize = 5;

struct Table {
    forks: [Mutex<u32>; SEATS],
}

impl Table {
    fn dine(&self, seat: usize) {
        let (left, right) = (seat, (seat + 1) % SEATS);
        let (left, right) = (left.min(right), left.max(right));
        let mut first = self.forks[left].lock().unwrap();
        let mut second = self.forks[right].lock().unwrap();
        *first += 1;
        *second += 1;
    }
}

// Each philosopher takes the fork on the left first.
fn main() {
    let table = Arc::new(Table { forks: Default::default() });
    let guests: Vec<_> = (0..SEATS)
        .map(|seat| {
            let table = table.clone();
            thread::spawn(move || table.dine(seat))
        })
        .collect();
    for guest in guests {
        guest.join().unwrap();
    }
    let uses: u32 = table.forks.iter().map(|fork| *fork.lock().unwrap()).sum();
    println!("{uses}");
}
