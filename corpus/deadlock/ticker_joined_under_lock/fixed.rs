use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

struct Clock {
    seconds: Arc<Mutex<u32>>,
    stop: Arc<AtomicBool>,
    ticker: Option<JoinHandle<()>>,
}

impl Clock {
    fn start() -> Clock {
        let (seconds, stop) = (Arc::new(Mutex::new(0)), Arc::new(AtomicBool::new(false)));
        let ticker = thread::spawn({
            let (seconds, stop) = (seconds.clone(), stop.clone());
            move || {
                while !stop.load(Ordering::SeqCst) {
                    thread::sleep(Duration::from_millis(10));
                    *seconds.lock().unwrap() += 1;
                }
            }
        });
        Clock { seconds, stop, ticker: Some(ticker) }
    }

    fn stop(&mut self) -> u32 {
        self.stop.store(true, Ordering::SeqCst);
        if let Some(ticker) = self.ticker.take() {
            ticker.join().unwrap();
        }
        *self.seconds.lock().unwrap()
    }
}

// The ticker sleeps, and then needs the lock that is held while it is waited for.
fn main() {
    let mut clock = Clock::start();
    thread::sleep(Duration::from_millis(25));
    println!("{}", clock.stop() < 100);
}
