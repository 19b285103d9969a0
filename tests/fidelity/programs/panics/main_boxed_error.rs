// `main` returns `Result<(), Box<dyn Error>>`: a chain of errors through `?`, `source`, `Display` and `Debug`.
use std::error::Error;
use std::fmt;
use std::num::ParseIntError;

#[derive(Debug)]
enum Config { Missing(&'static str), Number { line: usize, source: ParseIntError } }
impl fmt::Display for Config {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Config::Missing(key) => write!(f, "no `{key}`"),
            Config::Number { line, .. } => write!(f, "line {line} has no number"),
        }
    }
}
impl Error for Config {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self { Config::Number { source, .. } => Some(source), Config::Missing(_) => None }
    }
}
#[derive(Debug)]
struct Outer(Box<dyn Error + Send + Sync>);
impl fmt::Display for Outer { fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result { f.pad("outer") } }
impl Error for Outer { fn source(&self) -> Option<&(dyn Error + 'static)> { Some(&*self.0) } }
impl From<Config> for Outer { fn from(error: Config) -> Outer { Outer(Box::new(error)) } }

fn number(text: &str, line: usize) -> Result<i32, Config> {
    text.trim().parse().map_err(|source| Config::Number { line, source })
}
fn sum(text: &str) -> Result<i32, Outer> {
    let mut total = 0;
    for (i, line) in text.lines().enumerate() {
        if line.is_empty() { Err(Config::Missing("value"))? }
        total += number(line, i + 1)?;
    }
    Ok(total)
}
struct Loud;
impl Drop for Loud { fn drop(&mut self) { println!("dropped on the way out") } }

fn main() -> Result<(), Box<dyn Error>> {
    println!("{:?}", sum("1\n 2 \n3").unwrap());
    for text in ["1\n\n2", "1\nx"] {
        let error = sum(text).unwrap_err();
        let mut chain: Option<&dyn Error> = Some(&error);
        while let Some(link) = chain {
            print!("{link} <- ");
            chain = link.source();
        }
        println!("{:>8}|{:?}", error, error.0.downcast_ref::<Config>().is_some());
    }
    let plain: Box<dyn Error> = "just text".into();
    println!("{plain} {plain:?} {:?}", plain.source().is_none());
    let sent: Box<dyn Error + Send + Sync> = format!("owned {}", 1).into();
    println!("{}", (sent as Box<dyn Error>).to_string());
    let _loud = Loud;
    sum("7\n99999999999")?;
    println!("not reached");
    Ok(())
}
