use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

// The watchdog takes the locks in the other order, but only when it was not fed for ten times as long as usual.
fn main() {
    let state = Arc::new((Mutex::new(0u32), Mutex::new(String::new())));
    let (feed, fed) = mpsc::channel();
    let watchdog = thread::spawn({
        let state = state.clone();
        move || {
            loop {
                match fed.recv_timeout(Duration::from_millis(200)) {
                    Ok(()) => {}
                    Err(RecvTimeoutError::Disconnected) => return None,
                    Err(RecvTimeoutError::Timeout) => {
                        let what = state.1.lock().unwrap();
                        let step = state.0.lock().unwrap();
                        return Some(format!("hangs in step {step}: {what}"));
                    }
                }
            }
        }
    });
    for number in 0..4 {
        let mut step = state.0.lock().unwrap();
        *state.1.lock().unwrap() = format!("working on {number}");
        *step = number;
        drop(step);
        thread::sleep(Duration::from_millis(20));
        feed.send(()).unwrap();
    }
    drop(feed);
    println!("{:?}", watchdog.join().unwrap());
}
