use std::sync::mpsc::{self, TryRecvError, TrySendError};
use std::thread;
use std::time::Duration;

fn main() {
    let (tx, rx) = mpsc::sync_channel::<String>(0);
    println!("{:?}", tx.try_send("nobody".into()) == Err(TrySendError::Full("nobody".into())));
    println!("{:?}", rx.try_recv() == Err(TryRecvError::Empty));

    // The receiver waits first, then the sender does.
    let receiver = thread::spawn(move || {
        let first = rx.recv().unwrap();
        thread::sleep(Duration::from_millis(30));
        let second = rx.recv().unwrap();
        (first, second, rx)
    });
    thread::sleep(Duration::from_millis(10));
    tx.send("one".into()).unwrap();
    tx.send("two".into()).unwrap();
    let (first, second, rx) = receiver.join().unwrap();
    println!("{first} {second}");

    // A message that is offered is taken without waiting.
    let sender = thread::spawn(move || {
        tx.send("offered".into()).unwrap();
        tx
    });
    thread::sleep(Duration::from_millis(10));
    println!("{:?}", rx.try_recv());
    let tx = sender.join().unwrap();
    println!("{:?}", rx.recv_timeout(Duration::from_millis(5)));

    // try_send finds a receiver that waits.
    let receiver = thread::spawn(move || (rx.recv_timeout(Duration::from_secs(5)), rx));
    thread::sleep(Duration::from_millis(10));
    println!("{:?}", tx.try_send("quick".into()));
    let (got, rx) = receiver.join().unwrap();
    println!("{got:?}");

    // Either side goes while the other waits.
    let waiting = tx.clone();
    let sender = thread::spawn(move || waiting.send("refused".into()));
    thread::sleep(Duration::from_millis(10));
    drop(rx);
    println!("{:?}", sender.join().unwrap().map_err(|error| error.0));
    println!("{:?}", tx.try_send("late".into()));
    let (tx, rx) = mpsc::sync_channel::<u8>(0);
    let receiver = thread::spawn(move || rx.recv());
    thread::sleep(Duration::from_millis(10));
    drop(tx);
    println!("{:?}", receiver.join().unwrap());

    // Many to one.
    let (tx, rx) = mpsc::sync_channel(0);
    let senders: Vec<_> = (0..4u32).map(|i| (i, tx.clone())).map(|(i, tx)| thread::spawn(move || tx.send(1 << i).unwrap())).collect();
    drop(tx);
    println!("{}", rx.iter().sum::<u32>());
    senders.into_iter().for_each(|sender| sender.join().unwrap());
}
