use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, OnceLock};
use std::thread;

static NAMES: LazyLock<Vec<&'static str>> = LazyLock::new(|| vec!["red", "green", "blue"]);
static CODES: LazyLock<HashMap<&'static str, usize>> =
    LazyLock::new(|| NAMES.iter().enumerate().map(|(code, &name)| (name, code)).collect());
static CACHE: LazyLock<Mutex<HashMap<String, usize>>> = LazyLock::new(Mutex::default);
static DEFAULT: OnceLock<usize> = OnceLock::new();

fn default() -> usize {
    *DEFAULT.get_or_init(|| CODES["green"])
}

fn code(name: &str) -> usize {
    let known = CACHE.lock().unwrap().get(name).copied();
    known.unwrap_or_else(|| {
        let code = CODES.get(name).copied().unwrap_or_else(default);
        CACHE.lock().unwrap().insert(name.to_string(), code);
        code
    })
}

// Each lazy value needs only those above it, so nobody comes back to one that is being made.
fn main() {
    let painter = thread::spawn(|| code("blue") + code("pink"));
    let own = code("red") + code("gold");
    println!("{}", own + painter.join().unwrap());
}
