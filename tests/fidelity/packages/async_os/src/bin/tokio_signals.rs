//! Signals as streams: each listener hears of each signal, and a shutdown waits for its tasks.
use std::time::Duration;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;
use tokio::task::JoinSet;

unsafe extern "C" {
    fn raise(number: i32) -> i32;
}

const SIGHUP: i32 = 1;
const SIGINT: i32 = 2;

#[tokio::main]
async fn main() {
    let mut first = signal(SignalKind::hangup()).unwrap();
    let mut second = signal(SignalKind::hangup()).unwrap();
    unsafe { raise(SIGHUP) };
    println!("{:?} {:?}", first.recv().await, second.recv().await);
    unsafe { raise(SIGHUP) };
    println!("{:?}", first.recv().await);
    let more = tokio::time::timeout(Duration::from_millis(50), first.recv()).await;
    println!("{}", more.is_err());

    let (stop, stopped) = watch::channel(false);
    let mut tasks = JoinSet::new();
    for number in 0..3 {
        let mut stopped = stopped.clone();
        tasks.spawn(async move {
            let _ = stopped.wait_for(|it| *it).await;
            number
        });
    }
    let asks = tokio::spawn(async {
        tokio::time::sleep(Duration::from_millis(20)).await;
        unsafe { raise(SIGINT) }
    });
    tokio::select! {
        ended = tasks.join_next() => println!("too early: {ended:?}"),
        asked = tokio::signal::ctrl_c() => println!("{asked:?}"),
    }
    stop.send(true).unwrap();
    let mut ended = tasks.join_all().await;
    ended.sort();
    println!("{ended:?} {}", asks.await.unwrap());
}
