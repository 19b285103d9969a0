//! Progress bars on standard error, on terminals only.

use analyzer::escape;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar; nothing is drawn if there is no terminal.
pub(super) struct Bar {
    bar: ProgressBar,
    /// Number of schedules for each entry.
    runs: u32,
    /// Number of finished schedules of each entry.
    done: Vec<u32>,
}

/// An empty bar for `count` of something.
pub(super) fn bar(count: usize, what: &str) -> ProgressBar {
    // It hides itself if standard error is no terminal; in CI it may be one that nobody watches.
    let is_watched = std::env::var_os("CI").is_none();
    let target = if is_watched { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(count as u64), target);
    if let Ok(style) = ProgressStyle::with_template(&format!("{{msg}}: [{{bar:30}}] {{pos}} of {{len}} {what}")) {
        bar.set_style(style.progress_chars("=> "));
    }
    bar
}

impl Bar {
    /// A bar for the schedules of some entries.
    pub(super) fn of_schedules(runs: u32, entries: usize) -> Bar {
        let bar = bar(runs as usize * entries, "schedules");
        Bar { bar, runs, done: vec![0; entries] }
    }

    /// Sets the number of finished runs of an entry.
    pub(super) fn at(&mut self, entry: usize, runs: u32, name: &str) {
        if runs == 1 {
            self.bar.set_message(escape::line(name).into_owned());
        }
        self.count(entry, runs);
    }

    /// Finishes an entry, possibly with fewer runs than the maximum.
    pub(super) fn finished(&mut self, entry: usize) {
        self.count(entry, self.runs);
    }

    fn count(&mut self, entry: usize, runs: u32) {
        // A short entry may have more.
        let runs = runs.min(self.runs);
        if let Some(before) = self.done.get_mut(entry) {
            self.bar.inc(u64::from(runs.saturating_sub(*before)));
            *before = (*before).max(runs);
        }
    }

    /// Prints something, with the bar out of the way.
    pub(super) fn aside(&self, print: impl FnOnce()) {
        self.bar.suspend(print);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
