//! Both streams of a child at once, each more than a pipe holds.
use std::io::{self, Read, Write};
use std::process::{Command, Stdio};
use std::thread;

const LINES: usize = 3000;

fn main() -> io::Result<()> {
    if std::env::args().nth(1).is_some() {
        let (mut out, mut err) = (io::stdout().lock(), io::stderr().lock());
        for number in 0..LINES {
            writeln!(out, "{number:>30} is a number on standard output")?;
            if number % 2 == 0 {
                writeln!(err, "{number:>30} is a number on standard error, and it is even")?;
            }
        }
        return Ok(());
    }
    let program = std::env::current_exe()?;
    let output = Command::new(&program).arg("child").output()?;
    let lines = |bytes: &[u8]| bytes.iter().filter(|&&byte| byte == b'\n').count();
    println!("{} {}", output.stdout.len(), lines(&output.stdout));
    println!("{} {}", output.stderr.len(), lines(&output.stderr));

    // The same by hand, with a thread for each stream.
    let mut child = Command::new(&program).arg("child").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let (mut out, mut err) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    let errors = thread::spawn(move || {
        let mut text = String::new();
        err.read_to_string(&mut text).map(|_| text)
    });
    let mut text = String::new();
    out.read_to_string(&mut text)?;
    let errors = errors.join().unwrap()?;
    println!("{}", child.wait()?);
    println!("{:?}", text.lines().last().map(str::trim));
    println!("{:?}", errors.lines().last().map(str::trim));
    println!("{}", text.as_bytes() == output.stdout && errors.as_bytes() == output.stderr);
    Ok(())
}
