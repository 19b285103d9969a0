//! Derives of derive_more 0.15.

use derive_more_0_15::{Constructor, Display};

#[derive(Debug, Display)]
enum Error {
    #[display(fmt = "no entry")]
    Missing,
    #[display(fmt = "I/O error: {}", _0)]
    Io(std::io::Error),
    #[display(fmt = "{} of {}", "given + 1", expected)]
    Count { given: u32, expected: u32 },
}

#[derive(Constructor, Display)]
#[display(fmt = "[{}]", "names.join(\"|\")")]
struct Names {
    names: Vec<String>,
}

fn main() {
    println!("{}", Error::Missing);
    println!("{}", Error::Io(std::io::Error::other("closed")));
    println!("{}", Error::Count { given: 2, expected: 5 });
    println!("{}", Names::new(vec!["a".to_owned(), "b".to_owned()]));
}
