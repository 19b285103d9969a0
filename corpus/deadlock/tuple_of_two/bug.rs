use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::thread;

struct Window {
    samples: Mutex<VecDeque<f64>>,
    size: usize,
}

impl Window {
    fn add(&self, sample: f64) {
        let mut samples = self.samples.lock().unwrap();
        if samples.len() == self.size {
            samples.pop_front();
        }
        samples.push_back(sample);
    }

    fn bounds(&self) -> (Option<f64>, Option<f64>) {
        (self.samples.lock().unwrap().iter().copied().reduce(f64::min), self.samples.lock().unwrap().iter().copied().reduce(f64::max)) //~ deadlock
    }
}

// Both parts of the tuple lock, and the first guard lives until the whole expression ends.
fn main() {
    let window = Arc::new(Window { samples: Mutex::default(), size: 3 });
    let sensor = {
        let window = window.clone();
        thread::spawn(move || (1..6).for_each(|n| window.add(f64::from(n) * 0.5)))
    };
    sensor.join().unwrap();
    println!("{:?}", window.bounds());
}
