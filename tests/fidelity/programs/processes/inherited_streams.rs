//! Children that print where their parent prints, in turns.
use std::io::{self, Write};
use std::process::{Command, Stdio};

fn main() -> io::Result<()> {
    let mut args = std::env::args().skip(1);
    if let Some(depth) = args.next() {
        let depth: u32 = depth.parse().map_err(io::Error::other)?;
        println!("{:indent$}down {depth}", "", indent = depth as usize);
        if depth < 3 {
            let status = Command::new(std::env::current_exe()?).arg((depth + 1).to_string()).status()?;
            println!("{:indent$}up {depth} ({})", "", status.code().unwrap_or(-1), indent = depth as usize);
        }
        eprintln!("depth {depth} ends");
        std::process::exit(depth as i32);
    }
    let program = std::env::current_exe()?;
    println!("before");
    let status = Command::new(&program).arg("1").status()?;
    println!("after: {status}");

    // What is buffered is printed after what the child prints, unless it is flushed.
    print!("flushed, ");
    io::stdout().flush()?;
    let status = Command::new(&program).arg("3").stderr(Stdio::null()).status()?;
    println!("and then the rest: {status}");

    // Only standard error is shared.
    let output = Command::new(&program).arg("3").stderr(Stdio::inherit()).output()?;
    println!("{:?} {:?}", String::from_utf8_lossy(&output.stdout), output.stderr);
    Ok(())
}
