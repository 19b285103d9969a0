//! Constants that macros of const_format make.

use const_format::{concatcp, formatcp};

const NAME: &str = "tool";
const MAJOR: u32 = 2;
const PREFIX: &str = concatcp!(NAME, '-', MAJOR, "/", MAJOR + 1, true);
const HELP: &str = formatcp!("{} {{{0}}} {PREFIX}: {level} of {}", NAME, 10i8 - 12, level = "high");
const NOTHING: &str = formatcp!("plain");

fn main() {
    println!("{PREFIX}|{HELP}|{NOTHING}");
    let length = concatcp!(NAME, NAME).len();
    println!("{length}");
}
