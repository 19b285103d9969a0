use std::sync::mpsc;
use std::thread;

// `main` keeps a sender, so its own loop over the receiver never ends.
fn main() {
    let (sender, receiver) = mpsc::channel();
    let workers: Vec<_> = (0..2)
        .map(|i| {
            let sender = sender.clone();
            thread::spawn(move || sender.send(i * 10).unwrap())
        })
        .collect();
    drop(sender);
    let mut sum = 0;
    for n in receiver {
        sum += n;
    }
    println!("{sum}");
    for worker in workers {
        worker.join().unwrap();
    }
}
