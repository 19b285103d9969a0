use std::sync::{RwLock, RwLockWriteGuard};
use std::thread;

#[derive(Default)]
struct Index {
    words: RwLock<Vec<String>>,
}

impl Index {
    fn add(&self, word: &str) -> usize {
        let mut words = self.words.write().unwrap();
        if !words.iter().any(|it| it == word) {
            words.push(word.to_string());
        }
        let words = RwLockWriteGuard::downgrade(words);
        self.count(&words, word.chars().next())
    }

    fn count(&self, words: &[String], first: Option<char>) -> usize {
        words.iter().filter(|word| word.chars().next() == first).count()
    }

    fn total(&self) -> usize {
        self.words.read().unwrap().len()
    }
}

// The write guard becomes a read guard, and nobody asks for a second one meanwhile.
fn main() {
    let index = Index::default();
    thread::scope(|scope| {
        scope.spawn(|| index.add("apple"));
        scope.spawn(|| index.add("ant"));
        scope.spawn(|| index.total());
    });
    println!("{}", index.total());
}
