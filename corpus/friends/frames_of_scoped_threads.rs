//! Nested functions whose locals scoped threads use.

use std::{
    sync::atomic::{AtomicU32, Ordering},
    thread,
};

fn sum(depth: u32, above: &AtomicU32) -> u32 {
    let own = AtomicU32::new(depth);
    let parts = [depth, depth];
    thread::scope(|scope| {
        scope.spawn(|| above.fetch_add(parts[0], Ordering::Relaxed));
        scope.spawn(|| own.fetch_add(parts[1], Ordering::Relaxed));
    });
    let own = own.into_inner();
    if depth == 0 { own } else { own + sum(depth - 1, above) }
}

// Each frame ends after its scope, which waits for the threads.
fn main() {
    let total = AtomicU32::new(0);
    assert_eq!(sum(2, &total), 6);
    assert_eq!(total.into_inner(), 3);
}
