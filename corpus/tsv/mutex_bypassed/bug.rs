use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::thread;

type Settings = Mutex<HashMap<String, String>>;

fn set(settings: &Arc<Settings>, key: &str, value: &str) {
    let settings = unsafe { &mut *Arc::as_ptr(settings).cast_mut() };
    settings.get_mut().unwrap().insert(key.to_owned(), value.to_owned()); //~ thread-safety-violation
}

fn get(settings: &Settings, key: &str) -> Option<String> {
    settings.lock().unwrap().get(key).cloned() //~ thread-safety-violation
}

// `set` gets round the lock, which it takes to be an expense, by `get_mut`.
fn main() {
    let settings = Arc::new(Settings::default());
    set(&settings, "theme", "dark");
    let reader = {
        let settings = Arc::clone(&settings);
        thread::spawn(move || get(&settings, "theme"))
    };
    set(&settings, "language", "fi");
    println!("{:?}", reader.join().unwrap());
}
