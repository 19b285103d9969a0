use std::sync::{Arc, Condvar, Mutex};
use std::thread;

#[derive(Default)]
struct Turnstile {
    state: Mutex<(u32, u32)>,
    moved: Condvar,
}

impl Turnstile {
    fn enter(&self, turn: u32) -> u32 {
        let mut state = self.state.lock().unwrap();
        while state.0 != turn {
            state = self.moved.wait(state).unwrap(); //~ deadlock
        }
        state.1 += turn;
        state.0 += 1;
        self.moved.notify_one();
        state.1
    }
}

// Of those who wait for their turns the wrong one may be notified, and goes back to sleep.
fn main() {
    let turnstile = Arc::new(Turnstile::default());
    let guests: Vec<_> = [2, 1]
        .into_iter()
        .map(|turn| {
            let turnstile = turnstile.clone();
            thread::spawn(move || turnstile.enter(turn))
        })
        .collect();
    turnstile.enter(0);
    for guest in guests {
        println!("{}", guest.join().unwrap() > 0); //~ deadlock
    }
}
