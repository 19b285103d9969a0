use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

static mut TICKS: u32 = 0;

// The periodic timer is told to stop and joined before its ticks are read.
fn main() {
    let (stop, stopped) = channel::<()>();
    let timer = thread::spawn(move || {
        while stopped.recv_timeout(Duration::from_millis(10)) == Err(RecvTimeoutError::Timeout) {
            unsafe { TICKS += 1 };
        }
    });
    thread::sleep(Duration::from_millis(35));
    stop.send(()).unwrap();
    timer.join().unwrap();
    println!("{}", unsafe { TICKS } < 1_000);
}
