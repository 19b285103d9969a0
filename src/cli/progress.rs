//! How far long work is: a bar on standard error, on terminals only.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar; nothing is drawn where nobody watches.
pub(super) struct Bar(ProgressBar);

/// A bar for the schedules of a program.
pub(super) fn bar(runs: u32, program: &str) -> Bar {
    // Hidden by itself if standard error is no terminal; in CI it may be one that nobody watches.
    let is_watched = std::env::var_os("CI").is_none();
    let target = if is_watched { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(u64::from(runs)), target);
    if let Ok(style) = ProgressStyle::with_template("{msg}: [{bar:30}] {pos} of {len} schedules") {
        bar.set_style(style.progress_chars("=> "));
    }
    bar.set_message(program.to_owned());
    Bar(bar)
}

impl Bar {
    /// So many runs are done.
    pub(super) fn at(&self, runs: u32) {
        self.0.set_position(u64::from(runs));
    }

    /// Takes the bar away.
    pub(super) fn finish(&self) {
        self.0.finish_and_clear();
    }
}
