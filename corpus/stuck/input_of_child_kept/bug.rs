use std::io::{self, BufRead, Write};
use std::process::{Command, Stdio};

fn count() {
    let lines = io::stdin().lock().lines().count(); //~ deadlock
    println!("{lines} lines");
}

// The parent keeps its end of the child's input while it waits for the child, which never sees the end.
fn main() {
    if std::env::args().nth(1).is_some_and(|it| it == "count") {
        return count();
    }
    let program = std::env::current_exe().unwrap();
    let mut child = Command::new(program).arg("count").stdin(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "a line").unwrap();
    let status = child.wait().unwrap(); //~ deadlock
    drop(input);
    println!("{status}");
}
