use std::sync::{Arc, Condvar, Mutex};
use std::thread;

enum Slot<T> {
    Empty,
    Full(T),
    Closed,
}

struct Shared<T> {
    slot: Mutex<Slot<T>>,
    changed: Condvar,
}

struct Sender<T>(Arc<Shared<T>>);
struct Receiver<T>(Arc<Shared<T>>);

fn oneshot<T>() -> (Sender<T>, Receiver<T>) {
    let shared = Arc::new(Shared { slot: Mutex::new(Slot::Empty), changed: Condvar::new() });
    (Sender(shared.clone()), Receiver(shared))
}

impl<T> Sender<T> {
    fn send(self, value: T) {
        *self.0.slot.lock().unwrap() = Slot::Full(value);
        self.0.changed.notify_one();
    }
}

impl<T> Drop for Sender<T> {
    fn drop(&mut self) {
        let mut slot = self.0.slot.lock().unwrap();
        if let Slot::Empty = *slot {
            *slot = Slot::Closed;
        }
    }
}

impl<T> Receiver<T> {
    fn recv(self) -> Option<T> {
        let mut slot = self.0.slot.lock().unwrap();
        loop {
            match std::mem::replace(&mut *slot, Slot::Empty) {
                Slot::Full(value) => return Some(value),
                Slot::Closed => return None,
                Slot::Empty => slot = self.0.changed.wait(slot).unwrap(), //~ deadlock
            }
        }
    }
}

// A sender that is dropped without sending closes the slot but wakes nobody.
fn main() {
    let (sender, receiver) = oneshot::<u32>();
    let lookup = thread::spawn(move || {
        if let Ok(port) = "http".parse::<u32>() {
            sender.send(port);
        }
    });
    println!("{:?}", receiver.recv());
    lookup.join().unwrap();
}
