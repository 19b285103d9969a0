use std::sync::{Arc, Mutex};

type Listener = Box<dyn Fn(u32) + Send>;

#[derive(Default)]
struct Bus {
    listeners: Mutex<Vec<Listener>>,
    seen: Mutex<Vec<u32>>,
}

impl Bus {
    fn listen(&self, listener: Listener) {
        self.listeners.lock().unwrap().push(listener);
    }

    fn emit(&self, event: u32) {
        let mut seen = self.seen.lock().unwrap(); //~ deadlock
        seen.push(event);
        for listener in self.listeners.lock().unwrap().iter() {
            listener(event);
        }
    }
}

// A listener emits a further event while the first is being delivered under the locks.
fn main() {
    let bus = Arc::new(Bus::default());
    let again = Arc::downgrade(&bus);
    bus.listen(Box::new(move |event| {
        if event == 1 {
            again.upgrade().unwrap().emit(2);
        }
    }));
    bus.emit(1);
    println!("{:?}", bus.seen.lock().unwrap());
}
