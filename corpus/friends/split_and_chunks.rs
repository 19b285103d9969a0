use std::thread;

fn blur(row: &mut [u32], by: u32) {
    for pixel in row.iter_mut() {
        *pixel += by;
    }
}

// Halves and chunks of a slice do not overlap, though they lie side by side.
fn main() {
    let mut image = vec![1u32; 8];
    thread::scope(|scope| {
        let (top, bottom) = image.split_at_mut(3);
        scope.spawn(|| blur(top, 10));
        scope.spawn(|| blur(bottom, 20));
    });
    thread::scope(|scope| {
        for (row, by) in image.chunks_mut(2).zip(1..) {
            scope.spawn(move || blur(row, by));
        }
    });
    println!("{image:?}");
}
