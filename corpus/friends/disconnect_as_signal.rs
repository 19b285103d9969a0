use std::sync::mpsc::channel;
use std::thread;

static mut RESULTS: [u32; 2] = [0; 2];

fn compute(index: usize) {
    unsafe { RESULTS[index] = index as u32 + 1 }
}

// Nothing is ever sent: that the sender is gone tells that the work is done.
fn main() {
    let (working, done) = channel::<()>();
    thread::spawn(move || {
        compute(0);
        compute(1);
        drop(working);
    });
    assert!(done.recv().is_err());
    println!("{}", unsafe { RESULTS[0] + RESULTS[1] });
}
