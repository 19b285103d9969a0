use std::sync::mpsc::{self, TryRecvError};
use std::thread;

// The worker polls the channel and ends when its sender is gone.
fn main() {
    let (stop, stopped) = mpsc::channel::<()>();
    let (results, collected) = mpsc::channel();
    let worker = thread::spawn(move || {
        let mut round = 0u32;
        loop {
            match stopped.try_recv() {
                Ok(()) | Err(TryRecvError::Disconnected) => break,
                Err(TryRecvError::Empty) => round += 1,
            }
            if round <= 3 {
                results.send(round).unwrap();
            }
            thread::yield_now();
        }
    });
    println!("{:?}", collected.iter().take(2).collect::<Vec<_>>());
    drop(stop);
    worker.join().unwrap();
    println!("{}", collected.iter().count() <= 1);
}
