//! One seat, and two guests who book it.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicU32, Ordering},
    },
    thread,
};

#[derive(Default)]
struct Hall {
    taken: Mutex<bool>,
    bookings: AtomicU32,
}

impl Hall {
    fn book(&self) {
        let mut taken = self.taken.lock().unwrap();
        if !*taken {
            self.bookings.fetch_add(1, Ordering::AcqRel);
            *taken = true;
        }
    }
}

// A guest looks and takes the seat under one lock.
fn main() -> Result<(), String> {
    let hall = Arc::new(Hall::default());
    let own = Arc::clone(&hall);
    let guest = thread::spawn(move || own.book());
    hall.book();
    guest.join().map_err(|_| "a guest panicked")?;
    match hall.bookings.load(Ordering::Acquire) {
        1 => Ok(()),
        bookings => Err(format!("{bookings} bookings of one seat")),
    }
}
