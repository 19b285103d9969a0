//! Three children in a row, as a shell connects them.
use std::io::{self, BufRead, Read, Write};
use std::process::{Child, Command, Stdio};

fn stage(name: &str) -> io::Result<()> {
    let (input, mut out) = (io::stdin().lock(), io::stdout().lock());
    match name {
        "numbers" => (1..=20).try_for_each(|number| writeln!(out, "{number}")),
        "triples" => {
            for line in input.lines() {
                let line = line?;
                if line.parse::<u32>().is_ok_and(|it| it % 3 == 0) {
                    writeln!(out, "{line}")?;
                }
            }
            Ok(())
        }
        "sum" => {
            let sum: u32 = input.lines().map_while(Result::ok).filter_map(|it| it.parse::<u32>().ok()).sum();
            writeln!(out, "sum {sum}")
        }
        "two" => input.lines().take(2).try_for_each(|line| writeln!(out, "{}", line?)),
        "endless" => loop {
            if let Err(error) = writeln!(out, "again") {
                eprintln!("stopped: {:?}", error.kind());
                std::process::exit(9);
            }
        },
        _ => Err(io::Error::other("no such stage")),
    }
}

fn connect(stages: &[&str]) -> io::Result<(Vec<Child>, String)> {
    let program = std::env::current_exe()?;
    let mut input = Stdio::null();
    let mut children: Vec<Child> = Vec::new();
    for stage in stages {
        let mut child = Command::new(&program).arg(stage).stdin(input).stdout(Stdio::piped()).spawn()?;
        input = match child.stdout.take() {
            Some(out) => Stdio::from(out),
            None => Stdio::null(),
        };
        children.push(child);
    }
    // The last one is read by another: this program's own pipe.
    let (mut reader, writer) = io::pipe()?;
    let last = Command::new(&program).arg("two").stdin(input).stdout(writer).spawn()?;
    children.push(last);
    let mut text = String::new();
    reader.read_to_string(&mut text)?;
    Ok((children, text))
}

fn main() -> io::Result<()> {
    if let Some(name) = std::env::args().nth(1) {
        return stage(&name);
    }
    for stages in [&["numbers", "triples", "sum"][..], &["numbers", "triples"], &["endless"], &["no"]] {
        let (children, text) = connect(stages)?;
        println!("{stages:?}: {text:?}");
        for mut child in children {
            print!(" {:?}", child.wait()?.code());
        }
        println!();
    }
    Ok(())
}
