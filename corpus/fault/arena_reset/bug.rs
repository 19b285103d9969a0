//! An arena that is emptied between two rounds.

use std::{
    sync::{Arc, Mutex},
    thread,
};

#[derive(Default)]
struct Arena {
    round: u32,
    chunks: Vec<Box<[u32; 4]>>,
}

// The handle of the first round is used in any round.
fn main() {
    let arena = Arc::new(Mutex::new(Arena { round: 0, chunks: vec![Box::new([1; 4])] }));
    let (handle, round) = {
        let arena = arena.lock().unwrap();
        (&raw const *arena.chunks[0] as usize, arena.round)
    };
    let shared = arena.clone();
    let user = thread::spawn(move || {
        let arena = shared.lock().unwrap();
        assert!(arena.round >= round);
        unsafe { (*(handle as *const [u32; 4]))[0] } //~ schedule-dependent-fault
    });
    let mut reset = arena.lock().unwrap();
    reset.round += 1;
    reset.chunks.clear(); //~ schedule-dependent-fault
    drop(reset);
    assert!(user.join().unwrap() <= 1);
}
