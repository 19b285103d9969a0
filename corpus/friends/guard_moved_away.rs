use std::sync::{Mutex, MutexGuard};

struct Tray {
    cups: Mutex<Vec<&'static str>>,
}

fn serve(mut cups: MutexGuard<'_, Vec<&'static str>>) -> Option<&'static str> {
    cups.pop()
}

impl Tray {
    fn next(&self) -> (Option<&'static str>, usize) {
        let cups = self.cups.lock().unwrap();
        let cup = if cups.is_empty() { None } else { serve(cups) };
        (cup, self.left())
    }

    fn left(&self) -> usize {
        self.cups.lock().unwrap().len()
    }
}

// The guard moves into the function that serves, or is dropped where it was not moved.
fn main() {
    let tray = Tray { cups: Mutex::new(vec!["tea", "coffee"]) };
    println!("{:?}", tray.next());
}
