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
    drawn_to(target, count, what)
}

fn drawn_to(target: ProgressDrawTarget, count: usize, what: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(count as u64), target);
    let template = format!("{{msg}}: [{{bar:30}}] {{pos}} of {{len}} {what}, about {{eta}} left");
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style.progress_chars("=> "));
    }
    bar
}

impl Bar {
    /// A bar for the schedules of some entries.
    pub(super) fn of_schedules(runs: u32, entries: usize) -> Bar {
        Bar::new(bar(runs as usize * entries, "schedules"), runs, entries)
    }

    fn new(bar: ProgressBar, runs: u32, entries: usize) -> Bar {
        bar.set_message("exploring");
        Bar { bar, runs, done: vec![0; entries] }
    }

    /// Sets the number of finished runs of an entry.
    pub(super) fn at(&mut self, entry: usize, runs: u32, name: &str) {
        if runs == 1 {
            self.bar.set_message(format!("entry {} of {}, {}", entry + 1, self.done.len(), escape::line(name)));
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

#[cfg(test)]
mod tests {
    use super::*;
    use indicatif::TermLike;
    use std::{
        io,
        sync::{Arc, Mutex},
    };

    /// A wide terminal that keeps what is written.
    #[derive(Clone, Debug, Default)]
    struct Screen(Arc<Mutex<String>>);

    impl TermLike for Screen {
        fn width(&self) -> u16 {
            200
        }

        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn write_line(&self, text: &str) -> io::Result<()> {
            self.write_str(&format!("{text}\n"))
        }

        fn write_str(&self, text: &str) -> io::Result<()> {
            self.0.lock().unwrap().push_str(text);
            Ok(())
        }

        fn clear_line(&self) -> io::Result<()> {
            self.write_str("\n")
        }

        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn the_bar_says_which_entry_is_explored_and_how_far() {
        let screen = Screen::default();
        let target = ProgressDrawTarget::term_like(Box::new(screen.clone()));
        let mut bar = Bar::new(drawn_to(target, 300, "schedules"), 100, 3);
        bar.finished(0);
        (1..=50).for_each(|runs| bar.at(1, runs, "demo::\u{1b}main"));
        bar.bar.tick();
        let text = screen.0.lock().unwrap().clone();
        let last = text.lines().rfind(|line| line.contains("schedules")).unwrap();
        assert!(last.starts_with("entry 2 of 3, demo::\\u{1b}main: [==============="), "{text}");
        assert!(last.contains(" 150 of 300 schedules, about ") && last.trim_end().ends_with(" left"), "{text}");
    }
}
