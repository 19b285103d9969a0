use std::sync::Arc;
use std::sync::Mutex;
use std::thread;

#[derive(Default)]
struct Settings {
    verbosity: u32,
}

type Shared = Arc<Mutex<Settings>>;

fn raise(settings: &Shared) {
    settings.lock().unwrap().verbosity += 1
}

fn is_verbose(settings: &Shared) -> bool {
    settings.lock().unwrap().verbosity > 0
}

// The content of an `Arc` is changed through its address while other owners read it.
fn main() {
    let settings = Shared::default();
    let reader = {
        let settings = settings.clone();
        thread::spawn(move || is_verbose(&settings))
    };
    raise(&settings);
    let _ = reader.join().unwrap();
    println!("{}", is_verbose(&settings));
}
