use std::sync::mpsc::{self, Sender};
use std::sync::{Mutex, OnceLock};
use std::thread;

#[derive(Debug)]
enum Metric {
    Count(&'static str),
    Gauge(&'static str, i64),
}

static METRICS: OnceLock<Mutex<Option<Sender<Metric>>>> = OnceLock::new();

fn emit(metric: Metric) {
    if let Some(sender) = METRICS.get().and_then(|sender| sender.lock().unwrap().clone()) {
        _ = sender.send(metric);
    }
}

fn handle(request: i64) {
    emit(Metric::Count("requests"));
    emit(Metric::Gauge("size", request));
}

// The sender in the static is never dropped, so the loop over the metrics does not end.
fn main() {
    let (sender, metrics) = mpsc::channel();
    METRICS.set(Mutex::new(Some(sender))).unwrap();
    let workers: Vec<_> = (0..2).map(|n| thread::spawn(move || handle(n))).collect();
    workers.into_iter().for_each(|worker| worker.join().unwrap());
    let mut sum = 0;
    for metric in metrics { //~ deadlock
        match metric {
            Metric::Count(name) => sum += name.len() as i64,
            Metric::Gauge(_, value) => sum += value,
        }
    }
    println!("{sum}");
}
