use std::sync::{Arc, Condvar, Mutex};
use std::thread;

#[derive(Default)]
struct Monitor {
    gate: Mutex<()>,
    gone: Condvar,
}

struct Lease {
    resource: Option<Arc<String>>,
    monitor: Arc<Monitor>,
}

impl Drop for Lease {
    fn drop(&mut self) {
        let _gate = self.monitor.gate.lock().unwrap();
        self.monitor.gone.notify_all();
    }
}

fn wait_for_last(resource: &Arc<String>, monitor: &Monitor) {
    let gate = monitor.gate.lock().unwrap();
    let gate = monitor.gone.wait_while(gate, |()| Arc::strong_count(resource) > 1).unwrap(); //~ deadlock
    drop(gate);
}

// The lease tells that it is gone while its field, which counts, is still there.
fn main() {
    let monitor = Arc::new(Monitor::default());
    let resource = Arc::new("tape 3".to_string());
    let user = {
        let lease = Lease { resource: Some(resource.clone()), monitor: monitor.clone() };
        thread::spawn(move || println!("using {:?}", lease.resource.as_deref()))
    };
    wait_for_last(&resource, &monitor);
    user.join().unwrap();
    println!("{} is free", Arc::try_unwrap(resource).unwrap());
}
