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
        if !*self.taken.lock().unwrap() {
            self.bookings.fetch_add(1, Ordering::AcqRel);
            *self.taken.lock().unwrap() = true;
        }
    }
}

// Both guests may find the seat free before one of them takes it.
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
} //~ schedule-dependent-result
