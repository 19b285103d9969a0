use std::sync::{Arc, Condvar, Mutex};
use std::thread;

#[derive(Default)]
struct Slot {
    item: Mutex<Option<u32>>,
    changed: Condvar,
}

impl Slot {
    fn put(&self, item: u32) {
        let mut slot = self.item.lock().unwrap();
        while slot.is_some() {
            slot = self.changed.wait(slot).unwrap();
        }
        *slot = Some(item);
        self.changed.notify_all();
    }

    fn take(&self) -> u32 {
        let mut slot = self.item.lock().unwrap();
        loop {
            if let Some(item) = slot.take() {
                self.changed.notify_all();
                return item;
            }
            slot = self.changed.wait(slot).unwrap();
        }
    }
}

// Producers and consumers wait at one condition variable, so one notification may wake the wrong kind.
fn main() {
    let slot = Arc::new(Slot::default());
    let mut threads = Vec::new();
    for item in 0..3 {
        let (producer, consumer) = (slot.clone(), slot.clone());
        threads.push(thread::spawn(move || producer.put(item)));
        threads.push(thread::spawn(move || println!("{}", consumer.take() < 3)));
    }
    for thread in threads {
        thread.join().unwrap();
    }
}
