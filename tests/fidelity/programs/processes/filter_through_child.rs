//! Sends text through a child that sorts lines, and closes its input to end it.
use std::error::Error;
use std::io::{self, BufRead, Read, Write};
use std::process::{Command, Stdio};

fn sort_lines() -> Result<(), Box<dyn Error>> {
    let mut lines: Vec<String> = io::stdin().lock().lines().collect::<Result<_, _>>()?;
    lines.sort_by_key(|line| (line.len(), line.clone()));
    lines.dedup();
    let mut out = io::stdout().lock();
    for line in lines {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    if std::env::args().any(|it| it == "--sort") {
        return sort_lines();
    }
    let mut child =
        Command::new(std::env::current_exe()?).arg("--sort").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let mut input = child.stdin.take().ok_or("no stdin")?;
    for word in ["pear", "fig", "apple", "fig", "kiwi", "date", "pear"] {
        writeln!(input, "{word}")?;
    }
    drop(input);
    let mut sorted = String::new();
    child.stdout.take().ok_or("no stdout")?.read_to_string(&mut sorted)?;
    print!("{sorted}");
    println!("{}", child.wait()?);
    println!("{}", child.wait()?.success());
    println!("{:?}", child.try_wait()?.map(|status| status.code()));
    println!("{:?}", child.kill().is_ok());
    Ok(())
}
