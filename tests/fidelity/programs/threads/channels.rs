use std::sync::mpsc::{self, RecvError, SendError, TryRecvError, TrySendError};
use std::thread;

enum Msg {
    Add(i32),
    Ask(mpsc::Sender<i32>),
    Stop,
}

fn main() {
    let (tx, rx) = mpsc::channel();
    let h = thread::spawn(move || {
        for i in 0..3 {
            tx.send(i * 10).unwrap();
        }
    });
    println!("{:?}", rx.iter().collect::<Vec<_>>());
    h.join().unwrap();
    println!("{:?} {:?}", rx.recv(), rx.try_recv());
    let (tx, rx) = mpsc::channel::<String>();
    println!("{:?}", rx.try_recv() == Err(TryRecvError::Empty));
    let txs = [tx.clone(), tx];
    let hs: Vec<_> = txs.into_iter().enumerate().map(|(i, t)| thread::spawn(move || t.send(format!("from {i}")).unwrap())).collect();
    let mut got: Vec<_> = rx.into_iter().collect();
    got.sort();
    println!("{:?}", got);
    hs.into_iter().for_each(|h| h.join().unwrap());
    let (tx, rx) = mpsc::channel();
    let actor = thread::spawn(move || {
        let mut total = 0;
        for m in rx {
            match m {
                Msg::Add(n) => total += n,
                Msg::Ask(reply) => reply.send(total).unwrap(),
                Msg::Stop => break,
            }
        }
        println!("actor stops with {total}");
    });
    tx.send(Msg::Add(5)).unwrap();
    tx.send(Msg::Add(7)).unwrap();
    let (rtx, rrx) = mpsc::channel();
    tx.send(Msg::Ask(rtx)).unwrap();
    println!("asked {}", rrx.recv().unwrap());
    println!("{:?}", rrx.recv() == Err(RecvError));
    tx.send(Msg::Stop).unwrap();
    actor.join().unwrap();
    println!("{}", tx.send(Msg::Add(1)).is_err());
    let (tx, rx) = mpsc::channel();
    drop(rx);
    let SendError(back) = tx.send("returned").unwrap_err();
    println!("{back} {}", tx.send("x").unwrap_err());
    let (tx, rx) = mpsc::sync_channel(1);
    println!("{:?} {:?}", tx.try_send(1), tx.try_send(2) == Err(TrySendError::Full(2)));
    let h = thread::spawn(move || {
        tx.send(3).unwrap();
        tx.send(4).unwrap();
        drop(tx);
    });
    println!("{:?}", rx.iter().collect::<Vec<_>>());
    h.join().unwrap();
    let (tx, rx) = mpsc::sync_channel::<&str>(0);
    let h = thread::spawn(move || rx.recv().unwrap());
    tx.send("rendezvous").unwrap();
    println!("{}", h.join().unwrap());
    println!("{:?}", tx.try_send("late").map_err(|e| e.to_string()));
}
