//! All the ways in which a child can end.
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus, Stdio};
use std::{env, io, process, thread};

fn child(how: &str) -> Result<(), io::Error> {
    match how {
        "return" => {}
        "error" => return Err(io::Error::other("went wrong")),
        "zero" => process::exit(0),
        "three" => process::exit(3),
        "large" => process::exit(259),
        "negative" => process::exit(-1),
        "panic" => panic!("on purpose"),
        "abort" => process::abort(),
        "thread-panics" => println!("{}", thread::spawn(|| panic!("in a thread")).join().is_err()),
        "thread-exits" => {
            thread::spawn(|| process::exit(12));
            loop {
                thread::park();
            }
        }
        _ => unreachable!(),
    }
    Ok(())
}

fn describe(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), None) => format!("code {code}"),
        (None, Some(signal)) => format!("signal {signal}"),
        other => format!("{other:?}"),
    }
}

fn main() -> Result<(), io::Error> {
    if let Some(how) = env::args().nth(1) {
        return child(&how);
    }
    let program = env::current_exe()?;
    for how in
        ["return", "error", "zero", "three", "large", "negative", "panic", "abort", "thread-panics", "thread-exits"]
    {
        let status = Command::new(&program).arg(how).stdout(Stdio::null()).stderr(Stdio::null()).status()?;
        println!("{how}: {} success {}", describe(status), status.success());
    }
    println!("{} {}", ExitStatus::from_raw(0x300), ExitStatus::from_raw(9));
    println!("{:?}", ExitStatus::from_raw(0x0b00).code());
    println!("{}", ExitStatus::default().success());
    Ok(())
}
