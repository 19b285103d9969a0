use std::sync::mpsc;
use std::thread;

struct Ping(u32);

// A channel without room needs the receiver to be there, but it starts only after the send.
fn main() {
    let (sender, receiver) = mpsc::sync_channel(1);
    sender.send(Ping(1)).unwrap();
    let worker = thread::spawn(move || receiver.iter().map(|ping: Ping| ping.0).sum::<u32>());
    sender.send(Ping(2)).unwrap();
    drop(sender);
    println!("{}", worker.join().unwrap());
}
