use std::mem;
use std::sync::{Arc, Mutex, Weak};
use std::thread;

type Callback = Box<dyn FnOnce(&Arc<Signal>) + Send>;

#[derive(Default)]
struct Signal {
    callbacks: Mutex<Vec<Callback>>,
    fired: Mutex<u32>,
}

impl Signal {
    fn on_fire(&self, callback: impl FnOnce(&Arc<Signal>) + Send + 'static) {
        self.callbacks.lock().unwrap().push(Box::new(callback));
    }

    fn fire(self: &Arc<Self>) {
        let callbacks = mem::take(&mut *self.callbacks.lock().unwrap());
        for callback in callbacks {
            callback(self);
        }
        *self.fired.lock().unwrap() += 1;
    }
}

fn again(times: u32) -> impl FnOnce(&Arc<Signal>) + Send + 'static {
    move |signal| {
        if times > 0 {
            signal.on_fire(again(times - 1));
        }
    }
}

// The callbacks are taken out under the lock and run without it, so they may add others and fire again.
fn main() {
    let signal = Arc::new(Signal::default());
    let weak: Weak<Signal> = Arc::downgrade(&signal);
    signal.on_fire(again(2));
    signal.on_fire(move |_| {
        if let Some(signal) = weak.upgrade() {
            signal.fire();
        }
    });
    let other = thread::spawn({
        let signal = signal.clone();
        move || signal.fire()
    });
    signal.fire();
    other.join().unwrap();
    println!("{}", signal.fired.lock().unwrap());
}
