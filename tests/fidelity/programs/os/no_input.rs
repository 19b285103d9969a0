//@ edition: 2024
//! A program without arguments whose standard input is empty.
use std::env;
use std::io::{self, BufRead, Read};

fn main() {
    println!("{} {:?}", env::args().len(), env::args().nth(1));
    let mut all = env::args_os();
    println!("{}", all.next().is_some_and(|it| !it.is_empty()));
    println!("{:?} {:?}", all.next(), all.size_hint());
    println!("{}", env::args().skip(1).map(|it| it.len()).sum::<usize>());
    let mut line = String::new();
    println!("{:?} {line:?}", io::stdin().read_line(&mut line));
    println!("{}", io::stdin().lock().lines().count());
    println!("{:?}", io::stdin().bytes().next().is_none());
    println!("{:?}", io::read_to_string(io::stdin()));
}
