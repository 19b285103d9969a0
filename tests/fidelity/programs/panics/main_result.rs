use std::fmt;

#[derive(Debug)]
struct ParseError {
    line: usize,
    text: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.text)
    }
}

impl std::error::Error for ParseError {}

fn parse(s: &str) -> Result<i32, ParseError> {
    s.parse().map_err(|e: std::num::ParseIntError| ParseError { line: 1, text: e.to_string() })
}

struct D;
impl Drop for D {
    fn drop(&mut self) {
        println!("drop");
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let _d = D;
    println!("{}", parse("12")?);
    println!("{}", parse("1x2")?);
    println!("not reached");
    Ok(())
}
