//! Children that would never end by themselves.
use std::io::{self, BufRead, BufReader, ErrorKind, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

/// Ends a child that is forgotten.
struct Guard(Child);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.kill().expect("it can be killed");
        let status = self.0.wait().expect("it has ended");
        println!("cleaned up: {status}");
    }
}

fn start(mode: &str) -> io::Result<Child> {
    Command::new(std::env::current_exe()?).arg(mode).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()
}

fn main() -> io::Result<()> {
    match std::env::args().nth(1).as_deref() {
        Some("sleeper") => {
            println!("ready");
            loop {
                thread::sleep(Duration::from_secs(1000));
            }
        }
        Some("listener") => {
            println!("ready");
            let count = io::stdin().lines().count();
            println!("{count} lines");
            return Ok(());
        }
        _ => {}
    }
    let mut child = start("sleeper")?;
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line)?;
    println!("{:?} {:?}", line.trim(), child.try_wait()?);
    child.kill()?;
    let status = child.wait()?;
    println!("{:?} {:?} {} {status}", status.code(), status.signal(), status.success());

    // One that waits for input: killed before it got any.
    let mut child = start("listener")?;
    let mut input = child.stdin.take().unwrap();
    line.clear();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    out.read_line(&mut line)?;
    child.kill()?;
    println!("{:?}", child.wait()?.signal());
    line.clear();
    println!("{} {line:?}", out.read_line(&mut line)?);
    let error = input.write_all(b"too late").unwrap_err();
    println!("{:?} {}", error.kind(), error.kind() == ErrorKind::BrokenPipe);

    let guard = Guard(start("sleeper")?);
    println!("started {}", guard.0.id() != 0);
    Ok(())
}
