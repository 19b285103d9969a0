use std::thread;

struct View(*const i32);

unsafe impl Send for View {}

impl View {
    fn max(self) -> i32 {
        let values = unsafe { std::slice::from_raw_parts(self.0, 3) };
        values.iter().copied().max().unwrap_or(0) //~ data-race
    }
}

fn refill(values: &mut [i32]) {
    for value in values {
        *value = 7; //~ data-race
    }
}

// The values are overwritten for the next round before the thread that looks at them is joined.
fn main() {
    let mut values = vec![3, 9, 4];
    let view = View(values.as_ptr());
    let worker = thread::spawn(move || view.max());
    refill(&mut values);
    let max = worker.join().unwrap();
    println!("{} {}", max >= 7, values.len());
}
