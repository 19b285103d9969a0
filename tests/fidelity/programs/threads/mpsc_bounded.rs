use std::sync::mpsc::{self, RecvTimeoutError, TryRecvError, TrySendError};
use std::thread;
use std::time::Duration;

struct Parcel(u32, &'static str);

impl Drop for Parcel {
    fn drop(&mut self) {
        println!("drop parcel {} {}", self.0, self.1);
    }
}

fn main() {
    // Room, no room, room again.
    let (tx, rx) = mpsc::sync_channel(2);
    tx.send(Parcel(1, "a")).unwrap();
    tx.try_send(Parcel(2, "b")).unwrap();
    match tx.try_send(Parcel(3, "c")) {
        Err(TrySendError::Full(parcel)) => println!("full: {}", parcel.0),
        Err(TrySendError::Disconnected(_)) => println!("disconnected"),
        Ok(()) => println!("sent"),
    }
    let first = rx.recv().unwrap();
    println!("got {} {}", first.0, first.1);
    drop(first);
    tx.try_send(Parcel(4, "d")).unwrap();
    // What is left in the queue is dropped with the receiver, in order.
    println!("receiver goes");
    drop(rx);
    match tx.send(Parcel(5, "e")) {
        Err(error) => println!("back: {} ({error})", error.0.0),
        Ok(()) => println!("sent"),
    }
    println!("{:?}", tx.try_send(Parcel(6, "f")).map_err(|error| error.to_string()));

    // A sender that waits for room goes on when a message is taken.
    let (tx, rx) = mpsc::sync_channel(1);
    let worker = thread::spawn(move || {
        for i in 0..5 {
            tx.send(i * i).unwrap();
        }
    });
    let mut all = Vec::new();
    while let Ok(n) = rx.recv() {
        all.push(n);
    }
    worker.join().unwrap();
    println!("{all:?} {:?}", rx.try_recv());

    // A sender that waits for room learns that nobody receives any more.
    let (tx, rx) = mpsc::sync_channel(1);
    tx.send(String::from("kept")).unwrap();
    let worker = thread::spawn(move || tx.send(String::from("waiting")).unwrap_err().0);
    thread::sleep(Duration::from_millis(20));
    drop(rx);
    println!("{}", worker.join().unwrap());

    // Messages that were sent before the last sender went are still received.
    let (tx, rx) = mpsc::sync_channel(3);
    tx.send(10).unwrap();
    tx.clone().send(20).unwrap();
    drop(tx);
    println!("{:?} {:?} {:?}", rx.recv(), rx.recv_timeout(Duration::from_secs(1)), rx.recv());
    println!("{:?} {:?}", rx.try_recv() == Err(TryRecvError::Disconnected), rx.recv_timeout(Duration::ZERO));

    // Time runs out.
    let (tx, rx) = mpsc::sync_channel::<u8>(1);
    println!("{:?}", rx.recv_timeout(Duration::from_millis(5)) == Err(RecvTimeoutError::Timeout));
    let sender = thread::spawn(move || {
        thread::sleep(Duration::from_millis(50));
        tx.send(7)
    });
    println!("{:?}", rx.recv_timeout(Duration::from_secs(60)));
    println!("{:?}", sender.join().unwrap());
}
