//! The clock behind `--time`: a thread that ends the exploration after some seconds.
//!
//! A schedule that runs is finished, and what was found is confirmed; the clock decides nothing else.

use crate::watchdog;
use analyzer::budget;
use std::{thread, time::Duration};

/// Ends the exploration of this process after `limit`, of which processes that it replaces have used some.
///
/// # Errors
///
/// If no thread can be started.
pub(crate) fn watch(limit: Duration) -> std::io::Result<()> {
    let left = limit.saturating_sub(watchdog::elapsed());
    let clock = thread::Builder::new().name("time".to_owned());
    clock.spawn(move || {
        thread::sleep(left);
        budget::end_exploration();
    })?;
    Ok(())
}
