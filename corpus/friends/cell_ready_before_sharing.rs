use std::cell::{Cell, OnceCell, RefCell};
use std::sync::mpsc;
use std::thread;

struct Settings {
    name: OnceCell<String>,
    limit: Cell<u32>,
    seen: RefCell<Vec<u32>>,
}

// While several threads share it, they only read it.
unsafe impl Sync for Settings {}

// The cells are written before the threads start and after they have ended; in between they are handed on by messages.
fn main() {
    let settings = Settings { name: OnceCell::new(), limit: Cell::new(0), seen: RefCell::new(vec![]) };
    settings.name.set("service".to_owned()).unwrap();
    settings.limit.set(3);
    let (turn, next) = mpsc::channel();
    thread::scope(|scope| {
        let settings = &settings;
        scope.spawn(move || {
            settings.seen.borrow_mut().push(settings.limit.get());
            turn.send(()).unwrap();
        });
        scope.spawn(move || {
            println!("{} {}", settings.name.get_or_init(|| unreachable!()), settings.limit.get());
            next.recv().unwrap();
            settings.seen.borrow_mut().push(settings.name.get().map_or(0, |name| name.len() as u32));
        });
    });
    settings.limit.set(settings.seen.borrow().iter().sum());
    println!("{}", settings.limit.get());
}
