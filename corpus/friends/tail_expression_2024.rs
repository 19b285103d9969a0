use std::sync::Mutex;

struct Depot {
    parcels: Mutex<Vec<u32>>,
}

impl Depot {
    fn heaviest(&self) -> u32 {
        self.parcels.lock().unwrap().iter().copied().max().unwrap_or(0)
    }

    fn load(&self) -> u32 {
        let total = { self.parcels.lock().unwrap().iter().sum::<u32>() } + self.heaviest();
        if let Some(first) = self.parcels.lock().unwrap().first().copied().filter(|first| *first > 100) {
            first
        } else {
            total + self.heaviest()
        }
    }
}

// Since edition 2024 a block's last expression and an `if let` before its else let go of their guards.
fn main() {
    let depot = Depot { parcels: Mutex::new(vec![4, 9]) };
    println!("{}", depot.load());
}
