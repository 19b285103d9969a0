use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

static mut ROUNDS: u32 = 0;
static DONE: AtomicU32 = AtomicU32::new(0);

fn count() -> u32 {
    // SAFETY: only the first thread of a process counts.
    unsafe {
        ROUNDS += 1;
        ROUNDS
    }
}

fn child() {
    let worker = thread::spawn(|| DONE.fetch_add(1, Ordering::Relaxed));
    for line in std::io::stdin().lines() {
        println!("{}: {}", count(), line.unwrap());
    }
    worker.join().unwrap();
}

// Parent and child write the same static at the same time, but each has its own.
fn main() {
    if std::env::args().nth(1).is_some_and(|it| it == "child") {
        return child();
    }
    let worker = thread::spawn(|| DONE.fetch_add(1, Ordering::Relaxed));
    let program = std::env::current_exe().unwrap();
    let mut command = Command::new(program);
    let mut child = command.arg("child").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    for word in ["one", "two"] {
        writeln!(input, "{word}").unwrap();
        let answer = lines.next().unwrap().unwrap();
        println!("{answer} {}", count());
    }
    drop(input);
    assert!(child.wait().unwrap().success());
    worker.join().unwrap();
    assert_eq!(DONE.load(Ordering::Relaxed), 1);
}
