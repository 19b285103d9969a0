use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::Duration;

/// Collects what comes close together, and hands it on after ten quiet milliseconds.
fn batch(input: Receiver<u32>, output: SyncSender<Vec<u32>>) {
    let mut items = Vec::new();
    loop {
        match input.recv_timeout(Duration::from_millis(10)) {
            Ok(item) => items.push(item),
            Err(RecvTimeoutError::Timeout) if items.is_empty() => {}
            Err(RecvTimeoutError::Timeout) => output.send(std::mem::take(&mut items)).unwrap(), //~ deadlock
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    if !items.is_empty() {
        output.send(items).unwrap();
    }
}

// There is room for one batch, and the pauses make more of them before anybody looks.
fn main() {
    let (items, input) = mpsc::channel();
    let (output, batches) = mpsc::sync_channel(1);
    let batcher = thread::spawn(move || batch(input, output));
    for item in 0..6 {
        items.send(item).unwrap();
        if item % 2 == 1 {
            thread::sleep(Duration::from_millis(100));
        }
    }
    drop(items);
    batcher.join().unwrap(); //~ deadlock
    println!("{}", batches.iter().map(|it| it.len()).sum::<usize>());
}
