use std::io::{self, BufRead, Write};
use std::process::{Command, Stdio};

fn count() {
    let lines = io::stdin().lock().lines().count();
    println!("{lines} lines");
}

// The parent closes its end of the child's input before it waits for the child.
fn main() {
    if std::env::args().nth(1).is_some_and(|it| it == "count") {
        return count();
    }
    let program = std::env::current_exe().unwrap();
    let mut child = Command::new(program).arg("count").stdin(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "a line").unwrap();
    drop(input);
    let status = child.wait().unwrap();
    println!("{status}");
}
