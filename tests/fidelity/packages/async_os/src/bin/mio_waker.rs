//! Other threads wake an event loop to have it look into a queue.
use mio::{Events, Poll, Token, Waker};
use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{self, TryRecvError};
use std::thread;
use std::time::Duration;

const WAKE: Token = Token(7);

fn main() -> io::Result<()> {
    let mut poll = Poll::new()?;
    let mut events = Events::with_capacity(4);
    let waker = Arc::new(Waker::new(poll.registry(), WAKE)?);

    // Woken before it waits, several times: one event.
    waker.wake()?;
    waker.wake()?;
    poll.poll(&mut events, None)?;
    println!("{:?}", events.iter().map(|event| (event.token(), event.is_readable())).collect::<Vec<_>>());
    poll.poll(&mut events, Some(Duration::ZERO))?;
    println!("{}", events.is_empty());

    let (sender, queue) = mpsc::channel();
    let threads: Vec<_> = (0..3u64)
        .map(|id| {
            let (waker, sender) = (waker.clone(), sender.clone());
            thread::spawn(move || {
                for step in 1..=4 {
                    sender.send((id, id * step)).unwrap();
                    waker.wake().unwrap();
                }
            })
        })
        .collect();
    drop(sender);
    drop(waker);
    let mut sums = BTreeMap::new();
    let mut wakes = 0;
    'waiting: loop {
        poll.poll(&mut events, Some(Duration::from_millis(5)))?;
        wakes += events.iter().filter(|event| event.token() == WAKE).count();
        loop {
            match queue.try_recv() {
                Ok((id, number)) => *sums.entry(id).or_insert(0) += number,
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => break 'waiting,
            }
        }
    }
    threads.into_iter().for_each(|it| it.join().unwrap());
    println!("{sums:?}, not more often woken than called: {}", wakes <= 12);
    Ok(())
}
