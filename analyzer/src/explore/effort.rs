//! How much is done: a factor on the numbers of runs and steps, so that what is explored never depends on time.

use std::{fmt, str::FromStr};

/// How much is done to explore entries.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Effort {
    /// A quarter of the default.
    Low,
    /// The default.
    #[default]
    Normal,
    /// Four times as much.
    High,
    /// Sixteen times as much.
    Highest,
}

impl Effort {
    /// All levels, from the least to the most.
    pub const ALL: [Effort; 4] = [Effort::Low, Effort::Normal, Effort::High, Effort::Highest];

    /// The name for options and configuration.
    pub fn name(self) -> &'static str {
        match self {
            Effort::Low => "low",
            Effort::Normal => "normal",
            Effort::High => "high",
            Effort::Highest => "highest",
        }
    }

    /// The level below, or the lowest one.
    pub fn lower(self) -> Effort {
        Effort::ALL.into_iter().rfind(|it| *it < self).unwrap_or(self)
    }

    /// The next level, if there is one.
    pub fn next(self) -> Option<Effort> {
        Effort::ALL.into_iter().find(|it| *it > self)
    }

    /// A number of steps at this level.
    pub(super) fn times(self, normal: u64) -> u64 {
        match self {
            Effort::Low => normal / 4,
            Effort::Normal => normal,
            Effort::High => normal.saturating_mul(4),
            Effort::Highest => normal.saturating_mul(16),
        }
    }

    /// A number of runs at this level.
    pub(super) fn times_runs(self, normal: u32) -> u32 {
        u32::try_from(self.times(normal.into())).unwrap_or(u32::MAX)
    }
}

impl fmt::Display for Effort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The error for a text that is no level.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseEffortError(String);

impl fmt::Display for ParseEffortError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Effort::ALL.map(Effort::name).join(", ");
        write!(f, "unknown effort `{}`; the levels are {names}", self.0)
    }
}

impl std::error::Error for ParseEffortError {}

impl FromStr for Effort {
    type Err = ParseEffortError;

    fn from_str(text: &str) -> Result<Effort, ParseEffortError> {
        Effort::ALL.into_iter().find(|it| it.name() == text).ok_or_else(|| ParseEffortError(text.to_owned()))
    }
}
