//! Pairs of calls that a harness makes from two threads. Those that were made least often go first (CovCon, ICSE'17), and
//! those that take two locks in opposite orders (DeadlockFuzzer, PLDI'09).

use crate::{
    harness::Subject,
    outcome::{HarnessCall, PairsOfCalls},
    std_models::harness::SCENARIO,
};
use interp::{
    harness_calls::{HarnessChoice, HarnessChoices},
    inputs, rng,
};
use std::collections::{BTreeMap, BTreeSet};

/// Number of seeds among which that of a run is chosen.
const CANDIDATES: u64 = 32;
/// The worth of a pair of calls that no run has made. One that was made several times is worth a fraction of it.
const NEW: u64 = 5_040;
/// How many times as much a pair is worth as long as its calls have not overlapped.
const APART: u64 = 2;
/// How many times as much a pair is worth that takes two locks in opposite orders, and how often it must be made to be worth
/// half as much: in few runs both threads have one lock when they ask for the other.
const OPPOSITE: u64 = 8;
const PATIENCE: u64 = 8;
/// The part of a label before the thread that makes the call.
const OF: &[u8] = b" of ";

type Pair = [HarnessCall; 2];

/// The calls of one scenario.
#[derive(Clone, Default)]
struct Calls {
    /// The labels of calls, with the number of functions between which is chosen.
    labels: BTreeMap<Box<[u8]>, u64>,
    /// How often each pair was made.
    made: BTreeMap<Pair, u64>,
    /// Pairs that take two locks in opposite orders.
    opposite: BTreeSet<Pair>,
}

/// The pairs of calls that the runs of a harness have made.
#[derive(Clone, Default)]
pub(super) struct CallPairs {
    /// Whether the threads choose between different functions.
    has_halves: bool,
    /// The number of scenarios, once it is known.
    count: u64,
    /// By the number of the scenario.
    scenarios: BTreeMap<u64, Calls>,
    result: PairsOfCalls,
}

impl CallPairs {
    /// No run has made a call yet.
    pub(super) fn new(subject: Option<Subject>) -> CallPairs {
        CallPairs { has_halves: matches!(subject, Some(Subject::Halves(_))), ..CallPairs::default() }
    }

    /// The seed of a run: of several, the one whose calls from two threads were made least often.
    pub(super) fn seed(&self, seed: u64, run: u64) -> u64 {
        let candidates = (0..CANDIDATES).map(|candidate| rng::run_seed(seed, run | candidate << 32));
        // The first one of the best.
        candidates.rev().max_by_key(|candidate| self.worth(*candidate)).unwrap_or_else(|| rng::run_seed(seed, run))
    }

    /// How new the calls of a run with this seed are.
    fn worth(&self, seed: u64) -> u64 {
        let scenario = if self.count > 0 { inputs::chosen(seed, SCENARIO.as_bytes(), self.count) } else { 0 };
        let Some(calls) = self.scenarios.get(&scenario) else {
            return if self.scenarios.is_empty() { 0 } else { u64::MAX };
        };
        let labels = calls.labels.iter();
        let chosen: Vec<_> =
            labels.map(|(label, count)| self.call(label, inputs::chosen(seed, label, *count))).collect();
        let worth = |pair: Pair| {
            let made = calls.made.get(&pair).copied().unwrap_or(0);
            if calls.opposite.contains(&pair) {
                return OPPOSITE * NEW * PATIENCE / (PATIENCE + made);
            }
            let has_overlapped = self.result.overlapped.contains(&(scenario, pair));
            if has_overlapped { NEW / (1 + made) } else { APART * NEW / (1 + made) }
        };
        pairs(&chosen).map(worth).sum()
    }

    /// Takes the calls of a run into account.
    pub(super) fn learn(&mut self, choices: &HarnessChoices) {
        let scenario = choices.made.iter().find(|choice| *choice.label == *SCENARIO.as_bytes());
        self.count = scenario.map_or(self.count, |choice| choice.count);
        let scenario = scenario.map_or(0, |choice| choice.index);
        let is_made = |choice: &&HarnessChoice| choice.is_call && choice.index < choice.count;
        let called: Vec<_> =
            choices.made.iter().filter(is_made).map(|choice| self.call(&choice.label, choice.index)).collect();
        for (one, other) in &choices.overlapping {
            let both = [&choices.made[*one], &choices.made[*other]];
            if both.iter().all(is_made) {
                let calls = both.map(|choice| self.call(&choice.label, choice.index));
                self.result.overlapped.extend(pairs(&calls).map(|pair| (scenario, pair)));
            }
        }
        if called.is_empty() {
            return;
        }
        let opposite = choices.opposite.iter().map(|(one, other)| [&choices.made[*one], &choices.made[*other]]);
        let opposite = opposite.filter(|both| both.iter().all(is_made));
        let opposite: Vec<Pair> =
            opposite.map(|both| in_order(both.map(|it| self.call(&it.label, it.index).1))).collect();
        let has_halves = self.has_halves;
        let calls = self.scenarios.entry(scenario).or_default();
        calls.opposite.extend(opposite);
        for choice in choices.made.iter().filter(is_made) {
            calls.labels.insert(choice.label.clone(), choice.count);
        }
        for pair in pairs(&called) {
            *calls.made.entry(pair).or_default() += 1;
        }
        self.result.all = self.scenarios.values().map(|calls| calls.possible(has_halves)).sum();
    }

    /// A call, and the thread that makes it.
    fn call<'a>(&self, label: &'a [u8], index: u64) -> (&'a [u8], HarnessCall) {
        (thread(label), HarnessCall { list: list(label, self.has_halves), index })
    }

    /// The pairs of calls that can be made, and those that have overlapped.
    pub(super) fn result(&self) -> &PairsOfCalls {
        &self.result
    }
}

impl Calls {
    /// The number of pairs that two threads can make.
    fn possible(&self, has_halves: bool) -> u64 {
        let mut of_lists: BTreeMap<[u8; 2], u64> = BTreeMap::new();
        for (one, count) in &self.labels {
            for (other, other_count) in self.labels.iter().filter(|(other, _)| thread(other) != thread(one)) {
                let [first, second] = [list(one, has_halves), list(other, has_halves)];
                if first <= second {
                    let is_same = first == second;
                    of_lists
                        .insert([first, second], if is_same { count * (count + 1) / 2 } else { count * other_count });
                }
            }
        }
        of_lists.values().sum()
    }
}

/// The thread that makes a call: the end of its label.
fn thread(label: &[u8]) -> &[u8] {
    let at = label.windows(OF.len()).rposition(|part| part == OF);
    at.map_or(label, |at| &label[at + OF.len()..])
}

/// The number of the list of functions from which a call is chosen: odd for the second half of a pair.
fn list(label: &[u8], has_halves: bool) -> u8 {
    let role = match label {
        [b't', b'h', b'e', b' ', b'l', ..] => 1,
        [b't', b'h', b'e', b' ', b'n', ..] => 2,
        _ => 0,
    };
    2 * role + u8::from(has_halves && thread(label).starts_with(b"thread"))
}

/// The pairs of calls by different threads.
fn pairs<'a>(calls: &'a [(&[u8], HarnessCall)]) -> impl Iterator<Item = Pair> + 'a {
    calls.iter().enumerate().flat_map(|(at, (thread, one))| {
        let others = calls[at + 1..].iter().filter(move |(other, _)| other != thread);
        others.map(move |(_, other)| in_order([*one, *other]))
    })
}

fn in_order(mut pair: Pair) -> Pair {
    pair.sort();
    pair
}

#[cfg(test)]
mod tests {
    use super::*;

    const LABELS: [&str; 4] =
        ["call 1 of the caller", "call 2 of the caller", "call 1 of thread 1", "call 2 of thread 1"];

    /// The choices of a harness with these numbers of scenarios and functions.
    fn run(seed: u64, scenarios: u64, functions: u64) -> HarnessChoices {
        let choice = |label: &str, count| HarnessChoice {
            label: label.as_bytes().into(),
            count,
            index: inputs::chosen(seed, label.as_bytes(), count),
            is_call: label != SCENARIO,
        };
        let calls = LABELS.into_iter().map(|label| choice(label, functions));
        let made = std::iter::once(choice(SCENARIO, scenarios)).chain(calls).collect();
        // The first calls overlap.
        HarnessChoices { made, overlapping: vec![(1, 3)], ..HarnessChoices::default() }
    }

    /// The number of pairs that have been made after so many runs.
    fn made(runs: u64, functions: u64, seed: impl Fn(&CallPairs, u64) -> u64) -> (usize, u64) {
        let mut pairs = CallPairs::new(None);
        for number in 0..runs {
            pairs.learn(&run(seed(&pairs, number), 2, functions));
        }
        (pairs.scenarios.values().map(|calls| calls.made.len()).sum(), pairs.result().all)
    }

    #[test]
    fn rare_pairs_go_first() {
        let (in_order, all) = made(60, 10, |pairs, run| pairs.seed(1, run));
        let (at_random, _) = made(60, 10, |_, run| rng::run_seed(1, run));
        assert_eq!(all, 2 * 55);
        assert!(in_order as u64 == all && at_random < 100, "{in_order} and {at_random} of {all}");
    }

    #[test]
    fn pairs_with_locks_in_opposite_orders_go_first() {
        let made = |are_known: bool| {
            let (mut pairs, mut count) = (CallPairs::new(None), 0);
            for number in 0..100 {
                let mut choices = run(pairs.seed(1, number), 1, 20);
                let find = |index: u64| choices.made.iter().position(|it| it.is_call && it.index == index);
                if let Some((one, other)) = find(3).zip(find(7)) {
                    count += u32::from(thread(&choices.made[one].label) != thread(&choices.made[other].label));
                    choices.opposite.extend(are_known.then_some((one.min(other), one.max(other))));
                }
                pairs.learn(&choices);
            }
            count
        };
        let (guided, usual) = (made(true), made(false));
        assert!(guided > 5 * usual, "{guided} and {usual} of 100");
    }

    #[test]
    fn possible_pairs_are_of_two_threads() {
        let possible = |labels: &[(&str, u64)], has_halves| {
            let labels = labels.iter().map(|(label, count)| (label.as_bytes().into(), *count)).collect();
            Calls { labels, ..Calls::default() }.possible(has_halves)
        };
        let both = [("call 1 of the caller", 3), ("call 1 of thread 1", 3)];
        assert_eq!(possible(&both, false), 6);
        assert_eq!(possible(&[both[0], ("call 1 of thread 1", 2)], true), 6);
        let last = ("the last call of thread 1", 2);
        assert_eq!(possible(&[both[0], both[1], last], false), 6 + 3 * 2);
        assert_eq!(possible(&[both[1], last], false), 0);
    }

    #[test]
    fn pairs_that_overlapped() {
        let mut pairs = CallPairs::new(None);
        for number in 0..200 {
            pairs.learn(&run(pairs.seed(1, number), 1, 3));
        }
        assert_eq!((pairs.result().all, pairs.result().overlapped.len()), (6, 6));
    }
}
