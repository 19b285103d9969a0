use std::sync::{Mutex, OnceLock};
use std::thread;

static SETTINGS: Mutex<Vec<(&str, u32)>> = Mutex::new(Vec::new());
static LIMIT: OnceLock<u32> = OnceLock::new();

fn find_limit() {
    LIMIT.get_or_init(|| {
        let settings = SETTINGS.lock().unwrap();
        settings.iter().map(|setting| setting.1).max().unwrap_or(10)
    });
}

fn add(name: &'static str, value: u32) {
    let limit = *LIMIT.wait();
    let mut settings = SETTINGS.lock().unwrap();
    if value <= limit {
        settings.push((name, value));
    }
}

// `add` holds the settings while it waits for the limit, which is found by looking at the settings.
fn main() {
    let finder = thread::spawn(find_limit);
    add("depth", 3);
    finder.join().unwrap();
    println!("{}", SETTINGS.lock().unwrap().len());
}
