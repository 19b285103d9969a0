use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Duration;

#[derive(Default)]
struct Slot {
    item: Mutex<Option<String>>,
    changed: Condvar,
}

impl Slot {
    /// Tries three times for five milliseconds.
    fn take(&self) -> Option<String> {
        let mut item = self.item.lock().unwrap();
        for _ in 0..3 {
            if item.is_some() {
                break;
            }
            (item, _) = self.changed.wait_timeout(item, Duration::from_millis(5)).unwrap();
        }
        let taken = item.take();
        self.changed.notify_all();
        taken
    }

    /// Waits until the item is taken; whether it was.
    fn hand_over(&self, text: &str) -> bool {
        let mut item = self.item.lock().unwrap();
        *item = Some(text.to_owned());
        self.changed.notify_all();
        let limit = Duration::from_millis(150);
        let (item, _) = self.changed.wait_timeout_while(item, limit, |item| item.is_some()).unwrap();
        item.is_none()
    }
}

// The consumer may have given up when the item comes, and then nobody takes it.
fn main() {
    let slot = Arc::new(Slot::default());
    let consumer = thread::spawn({
        let slot = slot.clone();
        move || slot.take()
    });
    thread::sleep(Duration::from_millis(15));
    let was_taken = slot.hand_over("parcel");
    let taken = consumer.join().unwrap();
    println!("{}", was_taken == (taken.as_deref() == Some("parcel")));
}
