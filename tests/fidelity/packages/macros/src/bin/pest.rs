//! A parser for a grammar in a file.

use pest::Parser;
#[derive(pest_derive::Parser)]
#[grammar = "g.pest"]
struct P;
fn main() {
    match P::parse(Rule::list, "1,22,3") {
        Ok(p) => {
            for p in p.flatten() {
                println!("{:?} {}", p.as_rule(), p.as_str());
            }
        }
        Err(e) => println!("{e}"),
    }
}
