//! Things that happen again and again, beside a socket that is quiet.
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use tokio::net::UdpSocket;
use tokio::time::{self, Instant, MissedTickBehavior};

#[tokio::main]
async fn main() {
    let start = Instant::now();
    let mut ticks = time::interval(Duration::from_millis(4));
    for number in 0..4 {
        ticks.tick().await;
        println!("tick {number}, not too early: {}", start.elapsed() >= Duration::from_millis(4) * number);
    }

    // Ticks that were missed.
    let period = Duration::from_millis(10);
    for behavior in [MissedTickBehavior::Burst, MissedTickBehavior::Delay, MissedTickBehavior::Skip] {
        let mut ticks = time::interval_at(Instant::now() + Duration::from_millis(2), period);
        ticks.set_missed_tick_behavior(behavior);
        ticks.tick().await;
        time::sleep(Duration::from_millis(25)).await;
        let (one, two) = (ticks.tick().await, ticks.tick().await);
        println!("{:?} {} {}", ticks.missed_tick_behavior(), two - one == period, two - one >= 2 * period);
        if behavior != MissedTickBehavior::Delay {
            println!("  whole periods {}", (two - one).as_nanos() % period.as_nanos() == 0);
        }
    }

    let socket = Arc::new(UdpSocket::bind("127.0.0.1:0").await.unwrap());
    let to = socket.local_addr().unwrap();
    let sent = Arc::new(AtomicU32::new(0));
    let beats = tokio::spawn({
        let (socket, sent) = (socket.clone(), sent.clone());
        async move {
            let mut ticks = time::interval(Duration::from_millis(3));
            loop {
                ticks.tick().await;
                socket.send_to(b"beat", to).await.unwrap();
                sent.fetch_add(1, Ordering::SeqCst);
            }
        }
    });
    let mut buffer = [0; 8];
    for number in 0..5 {
        let (count, _) = socket.recv_from(&mut buffer).await.unwrap();
        println!("{number} {}", String::from_utf8_lossy(&buffer[..count]));
    }
    beats.abort();
    println!("{}", beats.await.unwrap_err().is_cancelled());
    println!("at least five: {}", sent.load(Ordering::SeqCst) >= 5);
}
