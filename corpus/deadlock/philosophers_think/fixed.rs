use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

struct Philosopher {
    name: &'static str,
    left: Arc<Mutex<u32>>,
    right: Arc<Mutex<u32>>,
}

impl Philosopher {
    fn think(&self) {
        thread::sleep(Duration::from_secs(1));
    }

    fn eat(&self) {
        let mut left = self.left.lock().unwrap();
        let mut right = self.right.lock().unwrap();
        *left += 1;
        *right += 1;
    }
}

// All of them think for the same time and then take the fork on the left first.
fn main() {
    let forks: Vec<_> = (0..5).map(|_| Arc::new(Mutex::new(0))).collect();
    let names = ["Hypatia", "Laozi", "Averroes", "Kant", "Arendt"];
    let guests: Vec<_> = (0..names.len())
        .map(|seat| {
            let (left, right) = (seat, (seat + 1) % names.len());
            let (left, right) = (left.min(right), left.max(right));
            Philosopher { name: names[seat], left: forks[left].clone(), right: forks[right].clone() }
        })
        .map(|guest| {
            thread::spawn(move || {
                guest.think();
                guest.eat();
                guest.name
            })
        })
        .collect();
    for guest in guests {
        println!("{} has eaten", guest.join().unwrap());
    }
}
