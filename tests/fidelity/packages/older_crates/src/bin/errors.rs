//! Derives of derive_more 0.99, as actix-web has them.

use derive_more::{AsRef, Constructor, Deref, DerefMut, Display, Error, From};
use std::{error::Error as _, io, num::ParseIntError, str::Utf8Error};

#[derive(Debug, Display, Error, From)]
enum Failure {
    #[display(fmt = "no number: {_0}")]
    Number(ParseIntError),
    #[display(fmt = "no text: {}", _0)]
    Text(Utf8Error),
    #[display(fmt = "the system says {:?}", "_0.kind()")]
    System(io::Error),
    #[display(fmt = "'{}' is too long by {by}", name)]
    #[from(ignore)]
    Long { name: String, by: usize },
    #[display(fmt = "nothing")]
    Nothing,
    Plain,
}

#[derive(Debug, Display, Error)]
#[display(fmt = "refused: {}", reason)]
struct Refused {
    reason: &'static str,
    source: ParseIntError,
}

#[derive(Debug, Display, Error)]
#[display(fmt = "code {_0}")]
struct Code(#[error(not(source))] u32);

#[derive(Debug, Clone, PartialEq, Deref, DerefMut, AsRef, Display, From)]
struct Path(String);

#[derive(Debug, Constructor, Display)]
#[display(fmt = "{x:>3}/{y}")]
struct Point {
    x: u8,
    y: u8,
}

fn number(text: &str) -> Result<u8, Failure> {
    Ok(text.parse::<u8>()?)
}

fn text(bytes: &[u8]) -> Result<&str, Failure> {
    Ok(std::str::from_utf8(bytes)?)
}

fn main() {
    let all = [
        number("x").unwrap_err(),
        text(&[255]).unwrap_err(),
        io::Error::from(io::ErrorKind::NotFound).into(),
        Failure::Long { name: "a".to_owned(), by: 3 },
        Failure::Nothing,
        Failure::Plain,
    ];
    for failure in &all {
        println!("{failure}; {:?}", failure.source().map(ToString::to_string));
    }
    let refused = Refused { reason: "busy", source: "".parse::<u8>().unwrap_err() };
    println!("{refused}; {:?}; {:?}", refused.source().map(ToString::to_string), Code(7).source().is_none());
    println!("{}", Code(7));
    let mut path = Path::from("a".to_owned());
    path.push('b');
    println!("{path} {} {}", path.len(), path.as_ref().len());
    println!("{} {:?}", Point::new(1, 2), Point::new(3, 4));
}
