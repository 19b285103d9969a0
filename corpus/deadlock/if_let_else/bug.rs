//@ edition: 2021
use std::sync::RwLock;

static CONFIG: RwLock<Option<String>> = RwLock::new(None);

fn config() -> String {
    if let Some(text) = CONFIG.read().unwrap().as_ref() {
        text.clone()
    } else {
        *CONFIG.write().unwrap() = Some("default".to_string()); //~ deadlock
        "default".to_string()
    }
}

// Before edition 2024 the read guard of an `if let` lives through its else.
fn main() {
    println!("{}", config());
}
