//! Workers that fail are replaced, and a supervisor counts them.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

// The workers panic if they come in another order, and the supervisor expects that.
fn main() {
    let turn = Arc::new(AtomicUsize::new(0));
    let workers: Vec<_> = (0..2)
        .map(|number| {
            let turn = turn.clone();
            thread::spawn(move || {
                let own = turn.fetch_add(1, Ordering::SeqCst);
                assert!(own == number, "worker {number} came as number {own}");
                number
            })
        })
        .collect();
    let results: Vec<_> = workers.into_iter().map(thread::JoinHandle::join).collect();
    let failed = results.iter().filter(|it| it.is_err()).count();
    assert!(failed == 0 || failed == 2);
    assert_eq!(turn.load(Ordering::SeqCst), 2);
}
