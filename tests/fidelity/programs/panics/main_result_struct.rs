use std::process::ExitCode;

#[derive(Debug)]
#[allow(dead_code)]
struct Failure {
    code: u8,
    parts: Vec<Option<&'static str>>,
}

fn step(n: u8) -> Result<u8, Failure> {
    if n < 2 { Ok(n + 1) } else { Err(Failure { code: n, parts: vec![None, Some("quoted \"x\"")] }) }
}

fn main() -> Result<ExitCode, Failure> {
    let a = step(0)?;
    println!("a {a}");
    let b = step(a)?;
    println!("b {b}");
    step(b)?;
    Ok(ExitCode::SUCCESS)
}
