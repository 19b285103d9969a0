use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

#[derive(Default)]
struct Heartbeat {
    beats: Mutex<u32>,
    beat: Condvar,
}

impl Heartbeat {
    fn wait_for(&self, count: u32, limit: Duration) -> Result<u32, u32> {
        let beats = self.beats.lock().unwrap();
        let (beats, result) = self.beat.wait_timeout_while(beats, limit, |beats| *beats < count).unwrap();
        if result.timed_out() { Err(*beats) } else { Ok(*beats) }
    }

    fn wait_once(&self, limit: Duration) -> bool {
        let end = Instant::now() + limit;
        let mut beats = self.beats.lock().unwrap();
        while *beats == 0 {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            (beats, _) = self.beat.wait_timeout(beats, left).unwrap();
        }
        true
    }
}

// Nobody beats a third time, but each wait has a limit.
fn main() {
    let heartbeat = Arc::new(Heartbeat::default());
    let client = {
        let heartbeat = Arc::clone(&heartbeat);
        thread::spawn(move || {
            for _ in 0..2 {
                *heartbeat.beats.lock().unwrap() += 1;
                heartbeat.beat.notify_one();
            }
        })
    };
    _ = heartbeat.wait_once(Duration::from_millis(20));
    let result = heartbeat.wait_for(3, Duration::from_millis(30));
    client.join().unwrap();
    println!("{}", result.is_err());
}
