use std::sync::Mutex;

struct Meter {
    value: Mutex<u32>,
    label: Mutex<String>,
}

impl Meter {
    fn value(&self) -> u32 {
        *self.value.lock().unwrap()
    }

    fn double(&self) {
        *self.value.lock().unwrap() += self.value();
    }

    fn relabel(&self) {
        *self.label.lock().unwrap() = format!("{}!", self.label.lock().unwrap());
    }
}

// The right side of `=`, and of `+=` between numbers, is evaluated before the left side locks.
fn main() {
    let meter = Meter { value: Mutex::new(4), label: Mutex::new("volts".to_string()) };
    meter.double();
    println!("{}", meter.value());
}
