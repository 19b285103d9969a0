//@ edition: 2021
use std::sync::Mutex;

struct Warehouse {
    shelves: Mutex<Vec<u32>>,
    capacity: u32,
}

impl Warehouse {
    fn free(&self) -> u32 {
        let used: u32 = self.shelves.lock().unwrap().iter().sum(); //~ deadlock
        self.capacity - used
    }

    fn report(&self) -> String {
        let largest = {
            let shelves = &self.shelves;
            shelves.lock().unwrap().iter().copied().max().unwrap_or(0)
        } + self.free();
        format!("at most {largest} more")
    }
}

// Before edition 2024 the guard in a block's last expression outlives the block.
fn main() {
    let warehouse = Warehouse { shelves: Mutex::new(vec![3, 9, 4]), capacity: 20 };
    println!("{}", warehouse.report());
}
