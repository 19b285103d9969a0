//! Asks whether a child has ended, and does something else meanwhile.
use std::io::{self, Read, Write};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

fn main() -> io::Result<()> {
    match std::env::args().nth(1).as_deref() {
        Some("sleep") => {
            thread::sleep(Duration::from_millis(30));
            std::process::exit(4);
        }
        Some("until-told") => {
            let mut byte = [0];
            io::stdin().read_exact(&mut byte)?;
            std::process::exit(byte[0].into());
        }
        _ => {}
    }
    let program = std::env::current_exe()?;
    let start = Instant::now();
    let mut child = Command::new(&program).arg("sleep").spawn()?;
    let mut rounds = 0;
    let status = loop {
        match child.try_wait()? {
            Some(status) => break status,
            None => {
                rounds += 1;
                thread::sleep(Duration::from_millis(5));
            }
        }
    };
    println!("{status}, it took some rounds: {}", rounds > 0);
    println!("{}", start.elapsed() >= Duration::from_millis(30));
    println!("{:?}", child.try_wait()?.map(|it| it.code()));

    let mut child = Command::new(&program).arg("until-told").stdin(Stdio::piped()).spawn()?;
    println!("{:?} {:?}", child.try_wait()?, child.try_wait()?);
    child.stdin.as_mut().expect("piped").write_all(&[42])?;
    println!("{:?}", child.wait()?.code());
    Ok(())
}
