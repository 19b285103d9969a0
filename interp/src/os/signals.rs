//! Signals: the actions of a process, what is pending, and what comes from outside (decision 34).

use crate::rng::Rng;
use std::collections::BTreeMap;

pub(crate) const SIGHUP: i32 = 1;
pub(crate) const SIGINT: i32 = 2;
pub(crate) const SIGQUIT: i32 = 3;
pub(crate) const SIGABRT: i32 = 6;
pub(crate) const SIGKILL: i32 = 9;
pub(crate) const SIGUSR1: i32 = 10;
pub(crate) const SIGUSR2: i32 = 12;
pub(crate) const SIGTERM: i32 = 15;
pub(crate) const SIGCHLD: i32 = 17;
pub(crate) const SIGSTOP: i32 = 19;
pub(crate) const SIGWINCH: i32 = 28;
/// The highest number of a signal.
pub(crate) const SIGNALS: i32 = 64;

/// Signals that end nothing by default: of children, of windows, to stop and to continue.
const HARMLESS: [i32; 8] = [SIGCHLD, 18, SIGSTOP, 20, 21, 22, 23, SIGWINCH];
/// Signals that a program only causes itself: faults, a write to a broken pipe.
const OF_ITSELF: [i32; 8] = [4, 5, SIGABRT, 7, 8, 11, 13, 31];
/// Signals that come from outside.
const SENT: [i32; 7] = [SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2, SIGTERM, SIGWINCH];
/// Those of them that ask a program to end.
const ENDING: [i32; 3] = [SIGINT, SIGQUIT, SIGTERM];

/// Flags of an action, of x86_64 Linux.
const SA_RESTART: u32 = 0x1000_0000;
const SA_NODEFER: u32 = 0x4000_0000;
const SA_RESETHAND: u32 = 0x8000_0000;

/// Handlers that are none: the default action, and to ignore the signal.
const SIG_DFL: u64 = 0;
const SIG_IGN: u64 = 1;

/// A set of signals: `SIGHUP` is the lowest bit.
pub(crate) type SignalSet = u64;

/// The set of one signal; empty for a number that is none.
pub(crate) fn only(signal: i32) -> SignalSet {
    match signal {
        1..=SIGNALS => 1 << (signal - 1),
        _ => 0,
    }
}

fn all(signals: &[i32]) -> SignalSet {
    signals.iter().fold(0, |set, signal| set | only(*signal))
}

/// The lowest signal of a set; 0 if it is empty.
pub(crate) fn first(set: SignalSet) -> i32 {
    if set == 0 { 0 } else { set.trailing_zeros() as i32 + 1 }
}

/// The signals that nobody can block or handle.
pub(crate) fn unstoppable() -> SignalSet {
    only(SIGKILL) | only(SIGSTOP)
}

/// The signals of a set that ask a program to end.
pub(crate) fn ending(set: SignalSet) -> SignalSet {
    set & all(&ENDING)
}

/// The signals of a set that the outside sends.
pub(crate) fn sent(set: SignalSet) -> SignalSet {
    set & all(&SENT)
}

/// What a process does about a signal.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct SignalAction {
    /// The address of the handler.
    pub(crate) handler: u64,
    /// What is blocked while it runs.
    pub(crate) mask: SignalSet,
    pub(crate) flags: u32,
}

impl SignalAction {
    pub(crate) fn has_handler(self) -> bool {
        !matches!(self.handler, SIG_DFL | SIG_IGN)
    }

    /// Whether calls that it interrupts start again.
    pub(crate) fn restarts(self) -> bool {
        self.flags & SA_RESTART != 0
    }

    /// What is blocked while the handler of this signal runs.
    pub(crate) fn blocks(self, signal: i32) -> SignalSet {
        let own = if self.flags & SA_NODEFER != 0 { 0 } else { only(signal) };
        (self.mask | own) & !unstoppable()
    }
}

/// What happens to a process that gets a signal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Effect {
    Nothing,
    Ends,
    Handler(SignalAction),
}

/// The signals of a process.
#[derive(Clone, Default, Debug)]
pub(crate) struct Signals {
    actions: BTreeMap<i32, SignalAction>,
    /// What no thread has got yet.
    pub(crate) pending: SignalSet,
}

impl Signals {
    pub(crate) fn action(&self, signal: i32) -> SignalAction {
        self.actions.get(&signal).copied().unwrap_or_default()
    }

    pub(crate) fn set_action(&mut self, signal: i32, action: SignalAction) {
        self.actions.insert(signal, action);
    }

    /// What a signal does now.
    pub(crate) fn effect(&self, signal: i32) -> Effect {
        let action = self.action(signal);
        match action.handler {
            _ if signal == SIGKILL => Effect::Ends,
            SIG_DFL if HARMLESS.contains(&signal) => Effect::Nothing,
            SIG_DFL => Effect::Ends,
            SIG_IGN => Effect::Nothing,
            _ => Effect::Handler(action),
        }
    }

    /// A handler starts: it may be for one time only.
    pub(crate) fn note_start(&mut self, signal: i32) {
        if let Some(action) = self.actions.get_mut(&signal).filter(|it| it.flags & SA_RESETHAND != 0) {
            action.handler = SIG_DFL;
        }
    }

    /// The signals with a handler that others can send; `SIGCHLD` only where there are children.
    pub(crate) fn handled(&self, has_children: bool) -> SignalSet {
        let handled = self.actions.iter().filter(|(_, action)| action.has_handler());
        let set = handled.fold(0, |set, (signal, _)| set | only(*signal)) & !all(&OF_ITSELF);
        if has_children { set } else { set & !only(SIGCHLD) }
    }

    /// For a program that replaces another one: it has no handlers, but ignores what was ignored.
    pub(crate) fn replace_program(&mut self) {
        self.actions.retain(|_, action| action.handler == SIG_IGN);
    }

    /// For a child.
    pub(crate) fn inherited(&self) -> Signals {
        Signals { pending: 0, ..self.clone() }
    }
}

/// What is behind a `signalfd`.
#[derive(Clone, Debug)]
pub(crate) struct SignalFile {
    pub(crate) mask: SignalSet,
    pub(crate) process: crate::process::ProcessId,
    pub(crate) opened: usize,
    pub(crate) is_closed: bool,
}

/// When a signal comes from outside, unless all threads wait before: at a logical time or a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SignalTrigger {
    pub(crate) at: u64,
    pub(crate) step: u64,
}

/// A signal comes after so many steps at the latest, and at most after this part of what is left.
const PATIENCE: u64 = 2_000_000;
/// A signal comes after so many nanoseconds at the latest.
const LONGEST: u64 = 30_000_000_000;
/// The shortest time before a signal, in steps and in nanoseconds. Longer ones are multiples of it by powers of two.
const STEPS: u64 = 400;
const NANOS: u64 = 100_000_000;
/// How often each signal comes when all threads wait.
const MOST: usize = 6;
/// So many times must a signal have come in vain before it is known not to end a wait.
pub(crate) const IN_VAIN: usize = 3;

/// The signals that come to the entry's process from outside.
#[derive(Clone, Default, Debug)]
pub(crate) struct ExternalSignals {
    /// The steps at which each has come.
    came: BTreeMap<i32, Vec<u64>>,
    /// When the next one comes.
    pub(crate) moment: Option<SignalTrigger>,
}

impl ExternalSignals {
    /// The next signal comes late: all schedules share what comes before, and plan anew then.
    pub(crate) fn plan_late(&mut self, now: u64, step: u64, last_step: u64) {
        let steps = last_step.saturating_sub(step) / 3 * 2;
        self.moment = Some(SignalTrigger { at: now.saturating_add(LONGEST), step: step.saturating_add(steps) });
    }

    /// Chooses when the next signal comes: while everything waits, after a time, or after some steps.
    pub(crate) fn plan(&mut self, rng: &mut Rng, now: u64, step: u64, last_step: u64) {
        let rest = last_step.saturating_sub(step);
        let patience = PATIENCE.min(rest / 3 * 2);
        let (mut nanos, mut steps) = (LONGEST, patience);
        match rng.below(4) {
            0 | 1 => {}
            2 => nanos = NANOS << rng.below(8),
            _ => steps = (STEPS << rng.below(12)).saturating_add(u64::from(rng.below(STEPS as u32))).min(patience),
        }
        self.moment = Some(SignalTrigger { at: now.saturating_add(nanos), step: step.saturating_add(steps) });
    }

    /// The next signal comes so many steps later.
    pub(crate) fn delay(&mut self, steps: u64) {
        if let Some(moment) = &mut self.moment {
            moment.step = moment.step.saturating_add(steps);
        }
    }

    /// The step at which a signal comes.
    pub(crate) fn step(&self) -> u64 {
        self.moment.map_or(u64::MAX, |moment| moment.step)
    }

    /// Takes one of these signals; with `waits` if nothing else happens any more.
    pub(crate) fn take(&mut self, from: SignalSet, waits: bool, rng: &mut Rng, step: u64) -> Option<i32> {
        let count = |signal: i32| self.came.get(&signal).map_or(0, Vec::len);
        let most = |rng: &mut Rng| if waits { MOST } else { 1 + usize::from(rng.chance(1, 2)) };
        let mut left = Vec::new();
        for signal in SENT.into_iter().filter(|it| from & only(*it) != 0) {
            let most = most(rng);
            left.extend((count(signal) < most).then_some(signal));
        }
        // In turns, if all wait.
        let fewest = left.iter().map(|it| count(*it)).min()?;
        left.retain(|it| !waits || count(*it) == fewest);
        let signal = left.get(rng.index(left.len())).copied()?;
        self.came.entry(signal).or_default().push(step);
        Some(signal)
    }

    /// How many have come so far.
    pub(crate) fn count(&self) -> usize {
        self.came.values().map(Vec::len).sum()
    }

    /// Whether each of these signals has come in vain since a step.
    pub(crate) fn all_came_since(&self, signals: SignalSet, step: u64) -> bool {
        let since = |signal: &i32| self.came.get(signal).into_iter().flatten().filter(|it| **it >= step).count();
        sent(signals) == signals
            && SENT.iter().filter(|it| signals & only(**it) != 0).all(|signal| since(signal) >= IN_VAIN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn effects() {
        let mut signals = Signals::default();
        assert_eq!((signals.effect(SIGTERM), signals.effect(SIGCHLD)), (Effect::Ends, Effect::Nothing));
        signals.set_action(SIGTERM, SignalAction { handler: SIG_IGN, ..SignalAction::default() });
        assert_eq!((signals.effect(SIGTERM), signals.effect(SIGKILL)), (Effect::Nothing, Effect::Ends));
        let once = SignalAction { handler: 99, mask: only(SIGINT), flags: SA_RESETHAND };
        signals.set_action(SIGUSR1, once);
        assert_eq!(signals.effect(SIGUSR1), Effect::Handler(once));
        assert_eq!(once.blocks(SIGUSR1), only(SIGINT) | only(SIGUSR1));
        signals.note_start(SIGUSR1);
        assert_eq!(signals.effect(SIGUSR1), Effect::Ends);
    }

    #[test]
    fn only_what_others_send_is_handled() {
        let mut signals = Signals::default();
        for signal in [SIGHUP, 11, SIGCHLD] {
            signals.set_action(signal, SignalAction { handler: 99, ..SignalAction::default() });
        }
        assert_eq!(signals.handled(false), only(SIGHUP));
        assert_eq!(signals.handled(true), only(SIGHUP) | only(SIGCHLD));
        signals.replace_program();
        assert_eq!(signals.handled(true), 0);
    }

    #[test]
    fn each_comes_a_few_times() {
        let (mut coming, mut rng) = (ExternalSignals::default(), Rng::with_stream(1, 1));
        let handled = only(SIGHUP) | only(SIGTERM) | only(SIGCHLD);
        let early = (0..20).filter_map(|step| coming.take(handled, false, &mut rng, step)).count();
        assert!((2..=4).contains(&early), "{early}");
        let mut late = 0;
        while coming.take(handled, true, &mut rng, 100).is_some() {
            late += 1;
        }
        assert_eq!(early + late, 2 * MOST);
        assert!(coming.all_came_since(only(SIGHUP) | only(SIGTERM), 100));
        assert!(!coming.all_came_since(only(SIGHUP), 101) && !coming.all_came_since(only(SIGCHLD), 0));
    }

    #[test]
    fn moments_are_late() {
        let moments = |seed| {
            let mut coming = ExternalSignals::default();
            coming.plan(&mut Rng::with_stream(seed, 1), 1_000, 10, 10_000_010);
            coming.moment.map_or((0, 0), |it| (it.at - 1_000, it.step - 10))
        };
        let all: Vec<(u64, u64)> = (0..100).map(moments).collect();
        assert!(
            all.iter().all(|(nanos, steps)| (NANOS..=LONGEST).contains(nanos) && (STEPS..=PATIENCE).contains(steps))
        );
        assert!(all.iter().any(|it| it.0 < LONGEST) && all.iter().any(|it| it.1 < PATIENCE));
        assert!(all.contains(&(LONGEST, PATIENCE)));
    }
}
