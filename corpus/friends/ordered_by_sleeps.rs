use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

#[derive(Default)]
struct House {
    kitchen: Mutex<u32>,
    bath: Mutex<u32>,
}

// The two orders of the locks are half a second apart, and nobody holds one of them for longer than an addition.
fn main() {
    let house = Arc::new(House::default());
    let early = thread::spawn({
        let house = house.clone();
        move || {
            thread::sleep(Duration::from_millis(50));
            let mut kitchen = house.kitchen.lock().unwrap();
            let mut bath = house.bath.lock().unwrap();
            *kitchen += 1;
            *bath += 1;
        }
    });
    let late = thread::spawn({
        let house = house.clone();
        move || {
            thread::sleep(Duration::from_millis(500));
            let mut bath = house.bath.lock().unwrap();
            let mut kitchen = house.kitchen.lock().unwrap();
            *kitchen += 1;
            *bath += 1;
        }
    });
    early.join().unwrap();
    late.join().unwrap();
    println!("{} {}", house.kitchen.lock().unwrap(), house.bath.lock().unwrap());
}
