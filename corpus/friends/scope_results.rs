use std::thread;

struct Part(*const u64, usize);

unsafe impl Send for Part {}

impl Part {
    fn sum(self) -> u64 {
        (0..self.1).map(|i| unsafe { *self.0.add(i) }).sum()
    }
}

// All threads only read, and `main` writes before and after them.
fn main() {
    let mut data = [1u64, 2, 3, 4];
    data[3] = 10;
    let base = data.as_ptr();
    let total: u64 = thread::scope(|scope| {
        let parts = [Part(base, 4), Part(base, 2), Part(unsafe { base.add(2) }, 2)];
        let handles = parts.map(|part| scope.spawn(move || part.sum()));
        handles.map(|handle| handle.join().unwrap()).iter().sum()
    });
    data[0] = total;
    println!("{data:?}");
}
