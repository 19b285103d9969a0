//! SipHash in both variants: pieces of every length, strings and numbers, read in between.
#![allow(deprecated)]

use std::collections::{HashMap, HashSet, hash_map::DefaultHasher};
use std::hash::{Hash, Hasher, SipHasher};

/// The same numbers in every run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let x = self.0 ^ (self.0 >> 33);
        x.wrapping_mul(0xff51afd7ed558ccd) >> 7
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }
}

fn feed(hasher: &mut impl Hasher, numbers: &mut Numbers, text: &[u8]) {
    match numbers.below(7) {
        0 => hasher.write_u8(numbers.next() as u8),
        1 => hasher.write_u32(numbers.next() as u32),
        2 => numbers.next().hash(hasher),
        3 => "grün".hash(hasher),
        4 => (numbers.next() as u16, numbers.next() as i128).hash(hasher),
        5 => hasher.write(&[]),
        _ => {
            let start = numbers.below(text.len() as u64) as usize;
            let len = numbers.below((text.len() - start) as u64 + 1) as usize;
            hasher.write(&text[start..start + len]);
        }
    }
}

fn main() {
    let mut numbers = Numbers(2);
    let text: Vec<u8> = (0..40).map(|_| numbers.next() as u8).collect();
    for _ in 0..40 {
        let mut new = DefaultHasher::new();
        let mut old = SipHasher::new_with_keys(numbers.next(), numbers.next());
        for _ in 0..numbers.below(9) {
            feed(&mut new, &mut numbers, &text);
            feed(&mut old, &mut numbers, &text);
            print!("{:x} ", new.clone().finish());
        }
        println!("{:x} {:x}", new.finish(), old.finish());
    }
    let words: HashSet<String> = (0..40).map(|_| format!("w{:x}", numbers.below(30))).collect();
    let squares: HashMap<u64, u64> = (0..40).map(|n| (n, n * n)).collect();
    let mut words: Vec<_> = words.into_iter().collect();
    words.sort();
    println!("{words:?} {:x}", (0..50).filter_map(|n| squares.get(&n)).sum::<u64>());
    println!("done");
}
