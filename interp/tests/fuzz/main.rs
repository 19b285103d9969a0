//! The machine and the parser of its text under whatever the verifier lets pass: neither panics, hangs or takes more memory
//! than its bounds allow.

mod code;
mod machine;
mod text;

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// How long one case may take; most take less than a millisecond, but machines are busy.
const PATIENCE: Duration = Duration::from_secs(60);

/// Runs `each` on the numbers below `count`, in a thread of its own; fails with the number of a case that panics or does not
/// end.
fn watched(count: u64, mut each: impl FnMut(u64) + Send + 'static) {
    let (sender, receiver) = channel();
    // As large as an analysis has it.
    let worker = std::thread::Builder::new().stack_size(64 << 20).spawn(move || {
        for number in 0..count {
            // Nobody listens once a case took too long.
            let _ = sender.send(number);
            each(number);
        }
    });
    let worker = worker.expect("the system can start a thread");
    let mut at = 0;
    loop {
        match receiver.recv_timeout(PATIENCE) {
            Ok(number) => at = number,
            Err(RecvTimeoutError::Timeout) => panic!("case {at} does not end"),
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    assert!(worker.join().is_ok(), "case {at} panicked, as said above");
}

/// The most memory that this process ever had, in MiB, where the system says so.
#[expect(clippy::disallowed_methods, reason = "it is the test that asks, no run")]
fn peak_mib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.trim().split(' ').next()).and_then(|kib| kib.parse::<u64>().ok());
    kib.unwrap_or(0) / 1024
}
