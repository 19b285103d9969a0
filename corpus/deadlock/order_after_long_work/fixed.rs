use std::sync::Mutex;
use std::thread;

static INDEX: Mutex<u64> = Mutex::new(0);
static STORE: Mutex<u64> = Mutex::new(0);

fn checksum(rounds: u64) -> u64 {
    let mut sum = 1u64;
    for i in 0..rounds {
        sum = sum.rotate_left(5) ^ i.wrapping_mul(0x9e37_79b9);
    }
    sum
}

fn import() {
    let sum = checksum(1_000);
    let mut index = INDEX.lock().unwrap();
    let mut store = STORE.lock().unwrap();
    *index ^= sum;
    *store += 1;
}

fn compact() {
    let mut index = INDEX.lock().unwrap();
    let mut store = STORE.lock().unwrap();
    *store += 1;
    *index = 0;
}

// The orders differ, but one side computes for long before it locks at all.
fn main() {
    let importer = thread::spawn(import);
    compact();
    importer.join().unwrap();
    println!("{}", STORE.lock().unwrap());
}
