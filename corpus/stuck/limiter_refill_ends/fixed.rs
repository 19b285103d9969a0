use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Duration;

struct Limiter {
    tokens: Mutex<u32>,
    refilled: Condvar,
    most: u32,
}

impl Limiter {
    fn refill(&self, by: u32) {
        let mut tokens = self.tokens.lock().unwrap();
        *tokens = (*tokens + by).min(self.most);
        self.refilled.notify_all();
    }

    fn take(&self, count: u32) {
        let tokens = self.tokens.lock().unwrap();
        let mut tokens = self.refilled.wait_while(tokens, |tokens| *tokens < count).unwrap();
        *tokens -= count;
    }
}

// The bucket never holds as many tokens as the last request takes, and the refill comes to an end.
fn main() {
    let limiter = Arc::new(Limiter { tokens: Mutex::new(2), refilled: Condvar::new(), most: 4 });
    let ticker = {
        let limiter = limiter.clone();
        thread::spawn(move || {
            for _ in 0..6 {
                thread::sleep(Duration::from_millis(100));
                limiter.refill(2);
            }
        })
    };
    for size in [1, 3, 4] {
        limiter.take(size);
        println!("request of {size}");
    }
    ticker.join().unwrap();
}
