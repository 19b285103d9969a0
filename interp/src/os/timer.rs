//! The timers behind `timerfd`.

/// A timer.
#[derive(Clone, Debug)]
pub(crate) struct Timer {
    pub(crate) opened: usize,
    /// The logical time of the next tick that was not read; `None` if it is not armed.
    pub(crate) at: Option<u64>,
    /// Nanoseconds between ticks; 0 if there is only one.
    pub(crate) interval: u64,
    /// Whether those who wait know about the tick.
    pub(crate) has_rung: bool,
    /// Whether it was closed.
    pub(crate) is_closed: bool,
}

impl Timer {
    pub(crate) fn new(opened: usize) -> Timer {
        Timer { opened, at: None, interval: 0, has_rung: false, is_closed: false }
    }

    /// When it rings next; it does not ring again before it was read.
    pub(crate) fn next(&self) -> Option<u64> {
        self.at.filter(|_| !self.has_rung && !self.is_closed)
    }

    /// Whether there is a tick to read.
    pub(crate) fn is_due(&self, now: u64) -> bool {
        self.at.is_some_and(|at| at <= now)
    }

    /// Arms it, or disarms it.
    pub(crate) fn set(&mut self, at: Option<u64>, interval: u64) {
        (self.at, self.interval, self.has_rung) = (at, interval, false);
    }

    /// Takes the ticks so far; 0 if there are none.
    pub(crate) fn take(&mut self, now: u64) -> u64 {
        let Some(at) = self.at.filter(|at| *at <= now) else { return 0 };
        self.has_rung = false;
        match self.interval {
            0 => {
                self.at = None;
                1
            }
            interval => {
                let ticks = (now - at) / interval + 1;
                self.at = Some(at.saturating_add(ticks.saturating_mul(interval)));
                ticks
            }
        }
    }

    /// Nanoseconds until the next tick; 0 if it is not armed.
    pub(crate) fn rest(&self, now: u64) -> u64 {
        let Some(at) = self.at else { return 0 };
        match at.checked_sub(now) {
            Some(rest) if rest > 0 => rest,
            // The tick was not read yet; the next one counts.
            _ if self.interval > 0 => self.interval - (now - at) % self.interval,
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_add_up() {
        let mut timer = Timer::new(0);
        assert_eq!((timer.next(), timer.take(100)), (None, 0));
        timer.set(Some(10), 5);
        assert_eq!((timer.next(), timer.is_due(9), timer.take(9), timer.rest(4)), (Some(10), false, 0, 6));
        assert!(timer.is_due(21));
        timer.has_rung = true;
        assert_eq!((timer.next(), timer.rest(21)), (None, 4));
        assert_eq!((timer.take(21), timer.next(), timer.take(21)), (3, Some(25), 0));
        timer.set(Some(30), 0);
        assert_eq!((timer.take(40), timer.next(), timer.take(50), timer.rest(50)), (1, None, 0, 0));
    }
}
