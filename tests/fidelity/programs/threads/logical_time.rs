use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

fn main() {
    let start = Instant::now();
    thread::sleep(Duration::from_millis(20));
    let slept = start.elapsed();
    println!("{}", slept >= Duration::from_millis(20));
    println!("{}", start + slept <= Instant::now());
    println!("{:?}", start.checked_duration_since(start + Duration::from_secs(1)));
    println!("{:?}", start.saturating_duration_since(start + Duration::from_secs(1)));
    println!("{}", SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs() > 1_700_000_000);
    println!("{}", SystemTime::now().elapsed().is_ok());

    // Sleepers come in the order of their times.
    let (tx, rx) = mpsc::channel();
    let sleepers: Vec<_> = [150u64, 50, 250, 100, 200]
        .into_iter()
        .map(|millis| {
            let tx = tx.clone();
            thread::spawn(move || {
                thread::sleep(Duration::from_millis(millis));
                tx.send(millis).unwrap();
            })
        })
        .collect();
    drop(tx);
    println!("{:?}", rx.iter().collect::<Vec<_>>());
    sleepers.into_iter().for_each(|sleeper| sleeper.join().unwrap());

    // A ticker that is told to stop.
    let (stop, stopped) = mpsc::channel::<()>();
    let ticker = thread::spawn(move || {
        let mut ticks = 0;
        while stopped.recv_timeout(Duration::from_millis(100)) == Err(mpsc::RecvTimeoutError::Timeout) {
            ticks += 1;
        }
        ticks
    });
    thread::sleep(Duration::from_millis(350));
    drop(stop);
    println!("{}", ticker.join().unwrap() > 0);

    println!("{:?} {:?} {:?}", Duration::from_micros(1_500), Duration::new(3, 5), Duration::from_secs_f64(0.25));
    println!("{:?} {:?}", Duration::from_secs(5).checked_sub(Duration::from_secs(6)), Duration::MAX.checked_add(Duration::from_nanos(1)));
    println!("{:?} {:?} {}", Duration::from_secs(10) / 4, Duration::from_millis(7) * 3, Duration::from_millis(1_234).as_secs_f32());
}
