use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

type Action = Arc<dyn Fn(&Wheel) + Send + Sync>;

#[derive(Default)]
struct Wheel {
    now: AtomicU64,
    timers: Mutex<BTreeMap<u64, Vec<Action>>>,
}

impl Wheel {
    fn schedule(&self, after: u64, action: impl Fn(&Wheel) + Send + Sync + 'static) {
        let due = self.now.load(Ordering::Relaxed) + after;
        self.timers.lock().unwrap().entry(due).or_default().push(Arc::new(action));
    }

    fn tick(&self) {
        let now = self.now.fetch_add(1, Ordering::Relaxed) + 1;
        let due = self.timers.lock().unwrap().remove(&now);
        if let Some(due) = due {
            due.iter().for_each(|action| action(self));
        }
    }
}

fn beat(wheel: &Wheel) {
    println!("beat");
    if wheel.now.load(Ordering::Relaxed) < 3 {
        wheel.schedule(1, beat);
    }
}

// A timer that schedules itself again does so while the wheel is locked for the round.
fn main() {
    let wheel = Arc::new(Wheel::default());
    wheel.schedule(2, beat);
    let driver = {
        let wheel = wheel.clone();
        thread::spawn(move || {
            for _ in 0..4 {
                thread::sleep(Duration::from_millis(10));
                wheel.tick();
            }
        })
    };
    driver.join().unwrap();
    println!("{}", wheel.timers.lock().unwrap().len());
}
