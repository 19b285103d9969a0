use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

fn exchange(name: &str, to_other: SyncSender<u32>, from_other: Receiver<u32>) {
    let mut sum = 0;
    for n in 0..3 {
        to_other.send(n).unwrap();
        sum += from_other.recv().unwrap();
    }
    println!("{name}: {sum}");
}

// Both sides fill the bounded channel to the other before either of them receives.
fn main() {
    let (to_right, from_left) = sync_channel(1);
    let (to_left, from_right) = sync_channel(1);
    thread::scope(|scope| {
        scope.spawn(move || exchange("right", to_left, from_left));
        exchange("left", to_right, from_right);
    });
}
