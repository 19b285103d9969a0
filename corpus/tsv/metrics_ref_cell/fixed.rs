use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::thread;

struct Global<T>(T);

unsafe impl<T> Sync for Global<T> {}

static METRICS: Global<Mutex<RefCell<BTreeMap<&'static str, u64>>>> = Global(Mutex::new(RefCell::new(BTreeMap::new())));

fn increment(name: &'static str) {
    *METRICS.0.lock().unwrap().borrow_mut().entry(name).or_default() += 1;
}

struct Timer(&'static str);

impl Drop for Timer {
    fn drop(&mut self) {
        increment(self.0);
    }
}

fn handle(path: &str) -> usize {
    let _timer = Timer("requests");
    path.len()
}

// A wrapper promises `Sync` for whatever it contains, here a `RefCell`.
fn main() {
    let handler = thread::spawn(|| handle("/index"));
    let own = handle("/");
    println!("{}", own + handler.join().unwrap());
}
