use std::sync::Mutex;

struct Line {
    callers: Mutex<Vec<u32>>,
}

impl Line {
    fn is_idle(&self) -> bool {
        self.callers.lock().unwrap().is_empty()
    }

    fn can_close(&self) -> bool {
        !self.callers.lock().unwrap().contains(&1) && !self.is_idle() || self.callers.lock().unwrap().len() > 4
    }

    fn describe(&self) -> &'static str {
        if self.callers.lock().unwrap().is_empty() {
            "idle"
        } else if self.is_idle() {
            "just left"
        } else {
            "busy"
        }
    }
}

// Operands of `&&` and `||` and the condition of an `if` drop their guards at once.
fn main() {
    let line = Line { callers: Mutex::new(vec![2, 3]) };
    println!("{} {}", line.can_close(), line.describe());
}
