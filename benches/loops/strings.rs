//! A string built of numbers and characters.

use std::fmt::Write;

const N: u64 = 1_000;

fn main() {
    let mut text = String::new();
    let mut i = 0;
    while i < N {
        write!(text, "{i}").unwrap();
        text.push(',');
        i += 1;
    }
    println!("{}", text.len());
}
