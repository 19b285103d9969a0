//! The derives of clap, with the program's own arguments: there are none, which is an error.

use clap::Parser;

/// Needs a file
#[derive(Parser, Debug)]
struct Options {
    #[arg(long, default_value_t = 4)]
    count: u32,
    file: String,
}

#[derive(Parser, Debug)]
struct Free {
    #[arg(long, default_value = "a,b", value_delimiter = ',')]
    words: Vec<String>,
    rest: Vec<String>,
}

fn main() {
    println!("{:?}", Free::parse());
    println!("{:?}", Free::try_parse().map(|it| it.words.len()));
    println!("{:?}", Options::try_parse().map_err(|error| error.exit_code()));
    println!("{:?}", Options::parse_from(["it", "--count=7", "there"]));
    println!("{:?}", Options::parse());
}
