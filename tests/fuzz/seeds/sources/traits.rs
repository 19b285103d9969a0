use std::{collections::HashMap, fmt::Display};

#[derive(Clone, Debug, PartialEq, Default)]
pub struct Shelf<T, const N: usize = 2> {
    pub items: [Option<T>; N],
}

pub trait Named {
    type Name: Display;
    const LENGTH: usize = 3;
    fn name(&self) -> Self::Name;
}

impl<T: Clone + Display, const N: usize> Named for Shelf<T, N> {
    type Name = String;
    fn name(&self) -> String {
        self.items.iter().flatten().map(|it| format!("{it:>3}")).collect::<Vec<_>>().join(", ")
    }
}

pub fn count(words: &str) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for word in words.split_whitespace() {
        *counts.entry(word.to_owned()).or_default() += <Shelf<u8> as Named>::LENGTH;
    }
    counts
}

#[test]
fn counts() {
    let shelf = Shelf { items: [Some(1u8), None] };
    assert_eq!(shelf.name(), "  1");
    assert_eq!(count("a b a")["a"], 6);
}
