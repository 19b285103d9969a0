use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

struct Node {
    name: &'static str,
    left: Receiver<u32>,
    right: Receiver<u32>,
    out: Sender<u32>,
}

impl Node {
    fn zip(self) -> Vec<u32> {
        let mut sums = Vec::new();
        while let (Ok(a), Ok(b)) = (self.left.recv(), self.right.recv()) { //~ deadlock
            sums.push(a + b);
            self.out.send(a + b).unwrap();
        }
        println!("{} ends", self.name);
        sums
    }
}

// The sums go back into the left input, so it is never closed, also when the right one is.
fn main() {
    let (to_left, left) = mpsc::channel();
    let (to_right, right) = mpsc::channel();
    to_left.send(1).unwrap();
    let node = Node { name: "adder", left, right, out: to_left.clone() };
    let running = thread::spawn(move || node.zip());
    for n in [10, 20] {
        to_right.send(n).unwrap();
    }
    to_left.send(5).unwrap();
    println!("{:?}", running.join().unwrap()); //~ deadlock
}
