//@ edition: 2021
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

struct Ends {
    sender: Sender<u32>,
    receiver: Receiver<u32>,
    name: String,
}

fn ends(name: &str) -> Ends {
    let (sender, receiver) = mpsc::channel();
    Ends { sender, receiver, name: name.to_string() }
}

// The closure takes the sender alone out of the struct, so it is gone when the thread has ended.
fn main() {
    let ends = ends("counter");
    let producer = thread::spawn(move || {
        for n in 1..=3 {
            ends.sender.send(n).unwrap();
        }
    });
    let sum: u32 = ends.receiver.iter().sum();
    producer.join().unwrap();
    println!("{} {sum}", ends.name);
}
