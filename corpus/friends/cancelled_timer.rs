use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

struct Timer {
    cancel: Option<Sender<()>>,
    thread: Option<JoinHandle<bool>>,
}

impl Timer {
    fn after(delay: Duration, action: impl FnOnce() + Send + 'static) -> Timer {
        let (cancel, cancelled) = mpsc::channel();
        let thread = thread::spawn(move || match cancelled.recv_timeout(delay) {
            Err(RecvTimeoutError::Timeout) => {
                action();
                true
            }
            Ok(()) | Err(RecvTimeoutError::Disconnected) => false,
        });
        Timer { cancel: Some(cancel), thread: Some(thread) }
    }

    fn cancel(mut self) -> bool {
        drop(self.cancel.take());
        self.thread.take().is_some_and(|thread| thread.join().unwrap())
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        drop(self.cancel.take());
        if let Some(thread) = self.thread.take() {
            _ = thread.join();
        }
    }
}

// A timer that is dropped or cancelled ends its thread first, whether or not it went off.
fn main() {
    let fired = Arc::new(Mutex::new(0));
    let action = |fired: &Arc<Mutex<u32>>| {
        let fired = fired.clone();
        move || *fired.lock().unwrap() += 1
    };
    let short = Timer::after(Duration::from_millis(1), action(&fired));
    let long = Timer::after(Duration::from_secs(3600), action(&fired));
    drop(long);
    let went_off = short.cancel();
    println!("{}", *fired.lock().unwrap() == u32::from(went_off));
}
