use std::sync::Arc;
use std::thread;

#[derive(Default)]
struct Settings {
    verbosity: u32,
}

type Shared = Arc<Settings>;

fn raise(settings: &Shared) {
    let settings = Arc::as_ptr(settings).cast_mut();
    unsafe { (*settings).verbosity += 1 } //~ data-race
}

fn is_verbose(settings: &Shared) -> bool {
    settings.verbosity > 0 //~ data-race
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
