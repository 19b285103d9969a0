//! The iterator of a token stream.

use super::*;

/// The trees of a stream.
#[derive(Clone)]
pub struct IntoIter {
    trees: Rc<Vec<TokenTree>>,
    next: usize,
}

impl Iterator for IntoIter {
    type Item = TokenTree;

    fn next(&mut self) -> Option<TokenTree> {
        let tree = self.trees.get(self.next)?.clone();
        self.next += 1;
        Some(tree)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let rest = self.trees.len() - self.next;
        (rest, Some(rest))
    }
}

impl IntoIterator for TokenStream {
    type Item = TokenTree;
    type IntoIter = IntoIter;

    fn into_iter(self) -> IntoIter {
        IntoIter { trees: self.0, next: 0 }
    }
}
