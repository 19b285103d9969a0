use std::sync::Mutex;

struct Settings {
    values: Mutex<Vec<u32>>,
}

impl Settings {
    fn first(&self) -> Option<u32> {
        self.values.lock().unwrap().first().copied()
    }
}

fn filled() -> Box<Settings> {
    let settings = Settings { values: Mutex::new(Vec::new()) };
    let mut values = settings.values.lock().unwrap();
    values.extend([1, 2, 3]);
    drop(values);
    Box::new(settings)
}

// A guard was leaked, and the lock is moved: it is still locked where it is now.
fn main() {
    let settings = filled();
    println!("{:?}", settings.first());
}
