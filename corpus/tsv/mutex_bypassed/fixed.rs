use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::thread;

type Settings = Mutex<HashMap<String, String>>;

fn set(settings: &Arc<Settings>, key: &str, value: &str) {
    settings.lock().unwrap().insert(key.to_owned(), value.to_owned());
}

fn get(settings: &Settings, key: &str) -> Option<String> {
    settings.lock().unwrap().get(key).cloned()
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
