//! A witness: the schedule that shows a finding, as data and as text.

use interp::{
    rng,
    run::Config,
    sched::{Schedule, WakeUps},
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// Maximum number of steps of a replay.
const MAX_STEPS: u64 = 100_000_000;

/// Everything that a run needs to show its finding again.
///
/// As text it is the schedule, such as `0x3.1.0`, after optional conditions that each end with a `/`: the seed of the
/// run in hexadecimal (`seed=1f`) if it is not 0, `time` or `spurious` if waits may end early, and the bound on steps
/// (`steps=4000000`) if it is more than the default: `seed=1f/time/0x3.1.0`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Witness {
    /// Seed of the machine's random choices.
    pub seed: u64,
    /// Which waits may end early.
    pub wake_ups: WakeUps,
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
        let default = Config::default();
        let max_steps = self.max_steps.unwrap_or(default.max_steps);
        Config { seed: self.seed, wake_ups: self.wake_ups, max_steps, trace: true, ..default }
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
        match self.wake_ups {
            WakeUps::Exact => {}
            WakeUps::AdversarialTime => f.write_str("time/")?,
            WakeUps::Spurious => f.write_str("spurious/")?,
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
        let mut witness = Witness { seed: 0, wake_ups: WakeUps::Exact, max_steps: None, schedule };
        for part in parts {
            let seed = part.strip_prefix("seed=").and_then(|digits| u64::from_str_radix(digits, 16).ok());
            let steps = part.strip_prefix("steps=").and_then(|digits| digits.parse::<u64>().ok());
            match (part, seed, steps.filter(|steps| *steps <= MAX_STEPS)) {
                (_, Some(seed), _) => witness.seed = seed,
                (_, _, Some(steps)) => witness.max_steps = Some(steps),
                ("time", ..) => witness.wake_ups = WakeUps::AdversarialTime,
                ("spurious", ..) => witness.wake_ups = WakeUps::Spurious,
                _ => {
                    let why = format!(
                        "`{part}` is no condition of a schedule: expected `seed=<hex>`, `time`, `spurious`, `steps=<number>`"
                    );
                    return Err(ParseWitnessError(why));
                }
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
        for text in ["-", "0x3.1.0", "seed=1f/0", "time/1", "seed=ffffffffffffffff/spurious/0x3.1", "steps=4000000/0.1"]
        {
            let witness: Witness = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(witness.to_string(), text);
        }
        for bad in [
            "",
            "/",
            "seed=/0",
            "seed=g/0",
            "noon/0",
            "0/1",
            "time/",
            "seed=1ffffffffffffffff/0",
            "steps=/0",
            "steps=100000001/0",
        ] {
            assert!(bad.parse::<Witness>().is_err(), "{bad}");
        }
    }
}
