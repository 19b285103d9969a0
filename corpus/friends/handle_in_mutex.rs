use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

struct Service {
    stop: Arc<AtomicBool>,
    handle: Mutex<Option<JoinHandle<u64>>>,
    ticks: Mutex<u64>,
}

impl Service {
    fn start() -> Arc<Service> {
        let service = Arc::new(Service { stop: Arc::default(), handle: Mutex::new(None), ticks: Mutex::new(0) });
        let weak = Arc::downgrade(&service);
        let stop = service.stop.clone();
        let handle = thread::spawn(move || {
            let mut done = 0;
            while !stop.load(Ordering::Relaxed) {
                let Some(service) = weak.upgrade() else { break };
                *service.ticks.lock().unwrap() += 1;
                done += 1;
                drop(service.handle.lock().unwrap());
                thread::yield_now();
            }
            done
        });
        *service.handle.lock().unwrap() = Some(handle);
        service
    }

    fn stop(&self) -> Option<u64> {
        self.stop.store(true, Ordering::Relaxed);
        let handle = self.handle.lock().unwrap().take()?;
        handle.join().ok()
    }
}

// The handle leaves the mutex, which the thread locks, before it is joined.
fn main() {
    let service = Service::start();
    let done = service.stop();
    println!("{} {:?}", done == Some(*service.ticks.lock().unwrap()), service.stop());
}
