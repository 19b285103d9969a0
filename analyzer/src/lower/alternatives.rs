//! Alternatives of patterns under a guard: it runs for each combination that matches, until it holds.

use super::cx::Cx;
use hir_def::hir::{Pat, PatId};
use ra_ap_hir_def as hir_def;

/// For or-patterns, the alternative that is tried.
pub(super) type Choice = Vec<(PatId, PatId)>;

/// Most combinations of which each is tried by itself; the guard's code is made for each.
const MOST: usize = 64;

impl Cx<'_, '_> {
    /// The combinations of alternatives in the order in which rustc tries them: with each alternative that matches the guard
    /// runs once more, also where nothing is bound. Of patterns with very many only those alternatives that bind something
    /// and the outermost ones are told apart; the others are one test.
    pub(super) fn choices(&self, pat: PatId) -> Vec<Choice> {
        let all = self.count_choices(pat) <= MOST;
        self.choices_in(pat, true, all)
    }

    fn count_choices(&self, pat: PatId) -> usize {
        match &self.store[pat] {
            Pat::Or(alternatives) => {
                alternatives.iter().map(|it| self.count_choices(*it)).fold(0, usize::saturating_add)
            }
            other => {
                let mut count: usize = 1;
                other.walk_child_pats(|child| count = count.saturating_mul(self.count_choices(child)));
                count
            }
        }
    }

    fn choices_in(&self, pat: PatId, is_outermost: bool, all: bool) -> Vec<Choice> {
        match &self.store[pat] {
            Pat::Or(alternatives) if all || is_outermost || self.has_bindings(pat) => {
                let of = |&alternative: &PatId| {
                    let mut choices = self.choices_in(alternative, is_outermost, all);
                    choices.iter_mut().for_each(|choice| choice.push((pat, alternative)));
                    choices
                };
                alternatives.iter().flat_map(of).collect()
            }
            Pat::Or(_) => vec![Choice::new()],
            other => {
                let mut choices = vec![Choice::new()];
                other.walk_child_pats(|child| {
                    let inner = self.choices_in(child, false, all);
                    let with = |outer: &Choice| {
                        let outer = outer.clone();
                        inner.iter().map(move |it| outer.iter().chain(it).copied().collect()).collect::<Vec<Choice>>()
                    };
                    choices = choices.iter().flat_map(with).collect();
                });
                choices
            }
        }
    }

    /// The alternative of an or-pattern that is being tried.
    pub(super) fn chosen(&self, pat: PatId) -> Option<PatId> {
        self.choice.iter().find(|(or, _)| *or == pat).map(|(_, alternative)| *alternative)
    }
}
