use std::sync::mpsc;
use std::thread;

// The sender lives until after the scope, which does not end before the receiver does.
fn main() {
    let (sender, receiver) = mpsc::channel();
    let mut received = Vec::new();
    thread::scope(|scope| { //~ deadlock
        scope.spawn(|| {
            for line in receiver { //~ deadlock
                received.push(line);
            }
        });
        for n in 0..3 {
            sender.send(format!("line {n}")).unwrap();
        }
    });
    println!("{received:?}");
}
