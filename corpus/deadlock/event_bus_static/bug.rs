use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, RwLock};
use std::thread;

type Handler = fn(&str) -> bool;

static HANDLERS: LazyLock<RwLock<HashMap<String, Vec<Handler>>>> = LazyLock::new(RwLock::default);
static JOURNAL: Mutex<Vec<String>> = Mutex::new(Vec::new());

fn subscribe(topic: &str, handler: Handler) {
    HANDLERS.write().unwrap().entry(topic.to_string()).or_default().push(handler); //~ deadlock
    JOURNAL.lock().unwrap().push(format!("subscribed {topic}"));
}

fn publish(topic: &str, payload: &str) -> usize {
    let handlers = HANDLERS.read().unwrap();
    let handled = handlers.get(topic).map_or(0, |handlers| handlers.iter().filter(|handler| handler(payload)).count());
    JOURNAL.lock().unwrap().push(format!("{topic}: {handled}"));
    handled
}

fn on_login(user: &str) -> bool {
    if user == "admin" {
        subscribe("audit", |line| line.contains("admin"));
    }
    !user.is_empty()
}

// A handler subscribes to another topic while the handlers are being read.
fn main() {
    subscribe("login", on_login);
    let first = thread::spawn(|| publish("login", "guest")).join().unwrap();
    println!("{}", first + publish("login", "admin"));
}
