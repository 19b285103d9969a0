use std::sync::{Arc, Mutex};

type Listener = Arc<dyn Fn(u32) + Send + Sync>;

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
        self.seen.lock().unwrap().push(event);
        let listeners = self.listeners.lock().unwrap().clone();
        for listener in listeners {
            listener(event);
        }
    }
}

// A listener emits a further event while the first is being delivered under the locks.
fn main() {
    let bus = Arc::new(Bus::default());
    let again = Arc::downgrade(&bus);
    bus.listen(Arc::new(move |event| {
        if event == 1 {
            again.upgrade().unwrap().emit(2);
        }
    }));
    bus.emit(1);
    println!("{:?}", bus.seen.lock().unwrap());
}
