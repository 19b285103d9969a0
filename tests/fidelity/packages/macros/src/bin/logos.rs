//! A lexer, whose automaton the macro computes.

use logos::Logos;
#[derive(Logos, Debug, PartialEq)]
#[logos(skip r"[ ]+")]
enum T {
    #[token("let")]
    Let,
    #[regex("[a-z]+")]
    Word,
    #[regex("[0-9]+", |l| l.slice().parse::<u32>().unwrap())]
    Num(u32),
}
fn main() {
    for t in T::lexer("let ab 12") {
        println!("{:?}", t);
    }
}
