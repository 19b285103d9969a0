use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;

#[derive(Default)]
struct Metrics {
    samples: Mutex<Vec<u32>>,
}

impl Metrics {
    fn record(&self, sample: u32, alerts: &SyncSender<u32>) {
        let mut samples = self.samples.lock().unwrap();
        samples.push(sample);
        if sample > 10 {
            alerts.send(sample).unwrap(); //~ deadlock
        }
    }

    fn peak(&self) -> u32 {
        self.samples.lock().unwrap().iter().copied().max().unwrap_or(0) //~ deadlock
    }
}

// A full channel stops `record` under the lock that the receiver takes for every alert.
fn main() {
    let metrics = Arc::new(Metrics::default());
    let (alerts, inbox) = sync_channel(1);
    let watcher = {
        let metrics = metrics.clone();
        thread::spawn(move || inbox.iter().filter(|_alert| metrics.peak() > 10).count())
    };
    for sample in [12, 20, 11, 30] {
        metrics.record(sample, &alerts);
    }
    drop(alerts);
    println!("{}", watcher.join().unwrap());
}
