use std::sync::mpsc::sync_channel;
use std::thread;

static mut WARM_UP: u32 = 0;

// That the second message found room tells that the first was received, and what came before that.
fn main() {
    let (sender, receiver) = sync_channel(1);
    let worker = thread::spawn(move || {
        unsafe { WARM_UP = 5 };
        receiver.iter().sum::<u32>()
    });
    sender.send(1).unwrap();
    sender.send(2).unwrap();
    println!("{}", unsafe { WARM_UP });
    drop(sender);
    println!("{}", worker.join().unwrap());
}
