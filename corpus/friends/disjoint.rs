use std::thread;

struct Cells(*mut u32);

unsafe impl Send for Cells {}

impl Cells {
    fn fill(self, at: usize, n: u32) {
        for i in 0..2 {
            unsafe { *self.0.add(at + i) = n };
        }
    }
}

// Two threads write to two halves of one array.
fn main() {
    let mut cells = [0; 4];
    let base = cells.as_mut_ptr();
    let (left, right) = (Cells(base), Cells(base));
    thread::scope(|scope| {
        scope.spawn(move || left.fill(0, 1));
        scope.spawn(move || right.fill(2, 2));
    });
    println!("{cells:?}");
}
