//! Chooses the inputs of a program's runs so that each word of the command lines that its tests use, and each option that
//! it declares, is given soon.

use interp::rng;
use std::collections::BTreeSet;

/// Number of seeds among which one is chosen.
const CANDIDATES: u64 = 16;
/// One of so many seeds is chosen so: the others are what chance makes of them, such as no arguments at all.
const ONE_OF: u32 = 2;

/// The words that the runs of a program were given.
#[derive(Clone)]
pub(super) struct CommandWords {
    is_program: bool,
    given: BTreeSet<Vec<u8>>,
    /// The last seed of inputs, and how many there were.
    last: Option<u64>,
    seeds: u32,
}

impl CommandWords {
    /// No run was given any.
    pub(super) fn new(is_program: bool) -> CommandWords {
        CommandWords { is_program, given: BTreeSet::new(), last: None, seeds: 0 }
    }

    /// The seed of a run of an entry, if it is the turn of such a one: of several, the one with the most words that none
    /// was given. `words_of` gives the words for a seed.
    pub(super) fn seed(&self, seed: u64, run: u32, mut words_of: impl FnMut(u64) -> Vec<Vec<u8>>) -> Option<u64> {
        if !self.is_program || self.seeds.is_multiple_of(ONE_OF) {
            return None;
        }
        let candidates = (0..CANDIDATES).map(|candidate| rng::run_seed(seed, u64::from(run) | candidate << 32));
        let new_words = |candidate: &u64| {
            let words: BTreeSet<Vec<u8>> = words_of(*candidate).into_iter().collect();
            words.difference(&self.given).count()
        };
        // The first one of the best.
        candidates.rev().max_by_key(new_words)
    }

    /// Takes the seed of a run's inputs, and whether it had any.
    pub(super) fn take(&mut self, seed: u64, had_inputs: bool, words_of: impl FnOnce(u64) -> Vec<Vec<u8>>) {
        if self.is_program && had_inputs && self.last != Some(seed) {
            self.last = Some(seed);
            self.seeds += 1;
            self.given.extend(words_of(seed));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One of forty words for each seed.
    fn words_of(seed: u64) -> Vec<Vec<u8>> {
        vec![vec![(seed % 40) as u8]]
    }

    #[test]
    fn words_that_no_run_was_given_come_soon() {
        let given = |mut words: CommandWords| {
            let mut all = BTreeSet::new();
            for run in 0..40 {
                let seed = words.seed(7, run, words_of).unwrap_or_else(|| rng::run_seed(7, u64::from(run)));
                // Some runs share their inputs.
                (0..3).for_each(|_| words.take(seed, true, words_of));
                all.extend(words_of(seed));
            }
            all.len()
        };
        assert_eq!((given(CommandWords::new(true)), given(CommandWords::new(false))), (29, 21));
    }

    #[test]
    fn what_is_no_program_or_has_no_inputs_gets_the_usual_seeds() {
        let mut test = CommandWords::new(false);
        test.take(1, true, words_of);
        assert_eq!(test.seed(7, 1, words_of), None);
        let mut program = CommandWords::new(true);
        program.take(1, false, words_of);
        assert_eq!(program.seed(7, 1, words_of), None);
        program.take(1, true, words_of);
        assert!(program.seed(7, 1, words_of).is_some());
        // Every other one is left to chance.
        program.take(2, true, words_of);
        assert_eq!(program.seed(7, 1, words_of), None);
    }
}
