// `impl Trait` as argument and result, nested, capturing, and as the item of an iterator.

use std::collections::BTreeMap;

fn evens(upto: u32) -> impl Iterator<Item = u32> + Clone {
    (0..upto).filter(|n| n % 2 == 0)
}

fn adders() -> impl Iterator<Item = impl Fn(i32) -> i32> {
    (1..=3).map(|by| move |n| n + by)
}

fn counted<'a>(words: impl IntoIterator<Item = &'a str>) -> impl IntoIterator<Item = (&'a str, usize)> {
    let mut counts = BTreeMap::new();
    for word in words {
        *counts.entry(word).or_insert(0) += 1;
    }
    counts
}

fn compose<A, B, C>(f: impl Fn(A) -> B, g: impl Fn(B) -> C) -> impl Fn(A) -> C {
    move |a| g(f(a))
}

trait Source {
    fn items(&self) -> impl Iterator<Item = String> + '_;

    fn all(&self) -> String {
        self.items().collect::<Vec<_>>().join("|")
    }
}

struct Letters(String);
struct Digits(u32);

impl Source for Letters {
    fn items(&self) -> impl Iterator<Item = String> + '_ {
        self.0.chars().map(String::from)
    }
}

impl Source for Digits {
    fn items(&self) -> impl Iterator<Item = String> + '_ {
        let mut left = Some(self.0);
        std::iter::from_fn(move || {
            let n = left?;
            left = (n >= 10).then_some(n / 10);
            Some((n % 10).to_string())
        })
    }
}

fn main() {
    let all = evens(9);
    println!("{:?} {}", all.clone().collect::<Vec<_>>(), all.sum::<u32>());
    println!("{:?}", adders().map(|add| add(10)).collect::<Vec<_>>());
    for (word, count) in counted("a b a c b a".split(' ')) {
        print!("{word}{count} ");
    }
    println!();
    let f = compose(|n: i32| n as f64 / 2.0, |x| format!("{x:.2}"));
    println!("{} {}", f(3), compose(f, |text| text.len())(100));
    println!("{} {}", Letters("xyz".into()).all(), Digits(4096).all());
}
