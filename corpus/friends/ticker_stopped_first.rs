use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

struct Sampler {
    samples: Arc<Mutex<Vec<u32>>>,
    stop: Arc<AtomicBool>,
    ticker: Option<JoinHandle<()>>,
}

impl Sampler {
    fn start(period: Duration, mut sample: impl FnMut() -> u32 + Send + 'static) -> Sampler {
        let (samples, stop) = (Arc::<Mutex<Vec<u32>>>::default(), Arc::<AtomicBool>::default());
        let ticker = thread::spawn({
            let (samples, stop) = (samples.clone(), stop.clone());
            move || {
                while !stop.load(Ordering::Relaxed) {
                    samples.lock().unwrap().push(sample());
                    thread::sleep(period);
                }
            }
        });
        Sampler { samples, stop, ticker: Some(ticker) }
    }
}

impl Drop for Sampler {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.ticker.take().unwrap().join().unwrap();
        println!("{}", !self.samples.lock().unwrap().is_empty());
    }
}

// The destructor takes the ticker's lock after the ticker has ended, and `main` only for a moment between two ticks.
fn main() {
    let mut count = 0;
    let sampler = Sampler::start(Duration::from_millis(5), move || {
        count += 1;
        count * count
    });
    for _ in 0..3 {
        thread::sleep(Duration::from_millis(5));
        let sum: u32 = sampler.samples.lock().unwrap().iter().sum();
        assert!(sum < 1_000_000);
    }
}
