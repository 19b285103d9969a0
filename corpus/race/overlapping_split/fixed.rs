use std::slice;
use std::thread;

fn halves(items: &mut [u32]) -> (&mut [u32], &mut [u32]) {
    let first = items.as_mut_ptr();
    let half = items.len() / 2;
    unsafe { (slice::from_raw_parts_mut(first, half), slice::from_raw_parts_mut(first.add(half), items.len() - half)) }
}

fn double(items: &mut [u32]) {
    for item in items {
        *item *= 2;
    }
}

// With an odd number of items the one in the middle is in both halves.
fn main() {
    let mut items = [1, 2, 3, 4, 5];
    let (left, right) = halves(&mut items);
    thread::scope(|scope| {
        scope.spawn(|| double(left));
        scope.spawn(|| double(right));
    });
    println!("{items:?}");
}
