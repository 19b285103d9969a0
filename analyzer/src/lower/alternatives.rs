//! Or-patterns under a guard: the guard runs for each combination of alternatives that matches, until it holds.

use super::cx::Cx;
use hir_def::hir::{Pat, PatId};
use ra_ap_hir_def as hir_def;

/// The alternative that is tried, for each or-pattern.
pub(super) type Choice = Vec<(PatId, PatId)>;

/// Maximum number of combinations that are tried separately: each gets its own copy of the guard.
const MOST: usize = 64;

impl Cx<'_, '_> {
    /// The combinations of alternatives in rustc's order: the guard runs again for each alternative that matches, even
    /// one that binds nothing. Patterns with very many combinations are split only at the outermost or-patterns and at
    /// those that bind something; the rest is one test.
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

    /// The alternative of an or-pattern that is currently tried.
    pub(super) fn chosen(&self, pat: PatId) -> Option<PatId> {
        self.choice.iter().find(|(or, _)| *or == pat).map(|(_, alternative)| *alternative)
    }
}
