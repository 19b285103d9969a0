//! A witness: the schedule that shows a finding, as data and as text.

use crate::std_models::harness::LeftOutCalls;
use interp::{
    rng,
    run::{Config, GoesBehind, Jitter},
    sched::{Schedule, WakeUps},
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// Maximum number of steps of a replay.
const MAX_STEPS: u64 = 100_000_000;

/// Everything that a run needs to show its finding again.
///
/// As text it is the schedule, such as `0x3.1.0`, after optional conditions that each end with a `/`: the seed of the
/// run in hexadecimal (`seed=1f`) if it is not 0, another one from where schedules can differ (`concurrent=2e`), the
/// number of points at which the default choice is made before that (`points=12`) if it is not 0, how late threads may
/// wake (`jitter=2ms+10%`) if that is not usual, `time` or `spurious` if waits may end early, the calls of a harness that
/// are left out (`without=1c`), `panics` if the run goes on behind panics, and the bound on steps (`steps=4000000`) if it is more than the default: `seed=1f/time/0x3.1.0`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Witness {
    /// Seed of the machine's random choices.
    pub seed: u64,
    /// Seed of these choices from where schedules can differ, if that is another one.
    pub concurrent_seed: Option<u64>,
    /// Number of points with default choices before schedules differ.
    pub beginning_points: u32,
    /// Which waits may end early.
    pub wake_ups: WakeUps,
    /// How late threads may wake.
    pub jitter: Jitter,
    /// The calls of a harness that are left out.
    pub left_out: LeftOutCalls,
    /// Whether the run goes on behind panics, not only deadlocks.
    pub behind_panics: bool,
    /// The bound on steps, if it is more than the default.
    pub max_steps: Option<u64>,
    /// The chosen threads; the default choice is made after its end.
    pub schedule: Schedule,
}

impl Witness {
    /// The id of a finding: six hexadecimal digits, a hash of the entry, the rule, the cause and the witness.
    pub fn id(&self, entry: &str, rule: &str, cause: &str) -> String {
        let text = format!("{entry}\n{rule}\n{cause}\n{self}");
        format!("{:06x}", rng::seed_from(&text, 0) & 0xff_ffff)
    }

    /// The configuration of its run, which records steps.
    pub(crate) fn config(&self) -> Config {
        let Witness { seed, concurrent_seed, beginning_points, wake_ups, jitter, max_steps, .. } = *self;
        let max_steps = max_steps.unwrap_or(Config::default().max_steps);
        // However long it takes to where schedules can differ: the run that found it got there.
        let limits = Config { prefix_steps: MAX_STEPS, max_steps, trace: true, ..Config::default() };
        let (goes_behind, forced_choices) = (self.goes_behind(), self.left_out.choices());
        Config { seed, concurrent_seed, beginning_points, wake_ups, jitter, goes_behind, forced_choices, ..limits }
    }

    /// The failures after which its run goes on.
    pub(crate) fn goes_behind(&self) -> GoesBehind {
        if self.behind_panics { GoesBehind::Panics } else { GoesBehind::Deadlocks }
    }

    /// The bound that a run needs to show what showed at this step; `None` if the default suffices.
    pub(crate) fn bound_for(step: u64) -> Option<u64> {
        let bound = step.saturating_add(step / 2);
        (step >= Config::default().max_steps).then_some(bound.min(MAX_STEPS))
    }
}

impl From<Witness> for String {
    fn from(witness: Witness) -> String {
        witness.to_string()
    }
}

impl TryFrom<String> for Witness {
    type Error = ParseWitnessError;

    fn try_from(text: String) -> Result<Witness, ParseWitnessError> {
        text.parse()
    }
}

impl fmt::Display for Witness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.seed != 0 {
            write!(f, "seed={:x}/", self.seed)?;
        }
        if let Some(seed) = self.concurrent_seed {
            write!(f, "concurrent={seed:x}/")?;
        }
        if self.beginning_points != 0 {
            write!(f, "points={}/", self.beginning_points)?;
        }
        if self.jitter != Jitter::USUAL {
            write!(f, "jitter={}/", self.jitter)?;
        }
        match self.wake_ups {
            WakeUps::Exact => {}
            WakeUps::AdversarialTime => f.write_str("time/")?,
            WakeUps::Spurious => f.write_str("spurious/")?,
        }
        if self.left_out.count() > 0 {
            write!(f, "without={:x}/", self.left_out)?;
        }
        if self.behind_panics {
            f.write_str("panics/")?;
        }
        if let Some(steps) = self.max_steps {
            write!(f, "steps={steps}/")?;
        }
        self.schedule.fmt(f)
    }
}

/// The error for a text that is no witness.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseWitnessError(String);

impl fmt::Display for ParseWitnessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ParseWitnessError {}

impl FromStr for Witness {
    type Err = ParseWitnessError;

    fn from_str(text: &str) -> Result<Witness, ParseWitnessError> {
        let mut parts: Vec<&str> = text.split('/').collect();
        let schedule = parts.pop().unwrap_or_default();
        let schedule = schedule.parse::<Schedule>().map_err(|error| ParseWitnessError(error.to_string()))?;
        let mut witness = Witness {
            seed: 0,
            concurrent_seed: None,
            beginning_points: 0,
            wake_ups: WakeUps::Exact,
            jitter: Jitter::USUAL,
            left_out: LeftOutCalls::default(),
            behind_panics: false,
            max_steps: None,
            schedule,
        };
        for part in parts {
            let no_condition = || {
                let expected = "`seed=<hex>`, `concurrent=<hex>`, `points=<number>`, `jitter=2ms+10%`, `time`, \
                                `spurious`, `without=<hex>`, `panics`, `steps=<number>`";
                ParseWitnessError(format!("`{part}` is no condition of a schedule: expected {expected}"))
            };
            let number = |digits| u64::from_str_radix(digits, 16).map_err(|_| no_condition());
            match part.split_once('=') {
                Some(("seed", digits)) => witness.seed = number(digits)?,
                Some(("concurrent", digits)) => witness.concurrent_seed = Some(number(digits)?),
                Some(("without", digits)) => {
                    witness.left_out = LeftOutCalls::from_bits(number(digits)?).ok_or_else(no_condition)?;
                }
                Some(("points", points)) => witness.beginning_points = points.parse().map_err(|_| no_condition())?,
                Some(("jitter", jitter)) => witness.jitter = jitter.parse().map_err(|_| no_condition())?,
                Some(("steps", digits)) => {
                    let steps = digits.parse().ok().filter(|steps| *steps <= MAX_STEPS);
                    witness.max_steps = Some(steps.ok_or_else(no_condition)?);
                }
                None if part == "time" => witness.wake_ups = WakeUps::AdversarialTime,
                None if part == "panics" => witness.behind_panics = true,
                None if part == "spurious" => witness.wake_ups = WakeUps::Spurious,
                _ => return Err(no_condition()),
            }
        }
        Ok(witness)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_a_witness() {
        for text in [
            "-",
            "0x3.1.0",
            "seed=1f/0",
            "time/1",
            "jitter=3ms+0%/0",
            "seed=1/concurrent=0/jitter=0s+0%/time/2",
            "seed=ffffffffffffffff/spurious/0x3.1",
            "steps=4000000/0.1",
            "seed=1/without=1e/panics/0.1",
        ] {
            let witness: Witness = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(witness.to_string(), text);
        }
        for bad in [
            "",
            "/",
            "seed=/0",
            "seed=g/0",
            "noon/0",
            "jitter=1/0",
            "0/1",
            "time/",
            "seed=1ffffffffffffffff/0",
            "without=20/0",
            "steps=/0",
            "steps=100000001/0",
        ] {
            assert!(bad.parse::<Witness>().is_err(), "{bad}");
        }
    }
}
