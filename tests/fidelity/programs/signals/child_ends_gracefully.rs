//! A child handles `SIGTERM` and ends in order; another one does not and is killed. The parent hears of both ends.
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

unsafe extern "C" {
    fn signal(number: i32, handler: usize) -> usize;
    fn kill(process: i32, number: i32) -> i32;
}

const SIGTERM: i32 = 15;
const SIGCHLD: i32 = 17;
static STOP: AtomicBool = AtomicBool::new(false);
static ENDED: AtomicU32 = AtomicU32::new(0);

extern "C" fn stop(_: i32) {
    STOP.store(true, Ordering::Release);
}

extern "C" fn child_ended(_: i32) {
    ENDED.fetch_add(1, Ordering::Relaxed);
}

fn child(handles: bool) {
    if handles {
        unsafe { signal(SIGTERM, stop as *const () as usize) };
    }
    let worker = thread::spawn(|| {
        while !STOP.load(Ordering::Acquire) {
            thread::sleep(Duration::from_millis(10));
        }
        "stopped"
    });
    println!("ready");
    std::io::stdout().flush().unwrap();
    println!("{}", worker.join().unwrap());
    std::process::exit(7);
}

fn start(how: &str) -> (Child, BufReader<std::process::ChildStdout>) {
    let program = std::env::current_exe().unwrap();
    let mut child = Command::new(program).arg(how).stdout(Stdio::piped()).spawn().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    print!("{how}: {line}");
    (child, output)
}

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("handles") => return child(true),
        Some(_) => return child(false),
        None => {}
    }
    unsafe { signal(SIGCHLD, child_ended as *const () as usize) };
    for how in ["handles", "dies"] {
        let (mut child, mut output) = start(how);
        println!("{}", unsafe { kill(child.id() as i32, SIGTERM) });
        let status = child.wait().unwrap();
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        println!("{:?} {:?} {line:?}", status.code(), status.signal());
    }
    while ENDED.load(Ordering::Relaxed) < 2 {
        thread::sleep(Duration::from_millis(1));
    }
    println!("{}", ENDED.load(Ordering::Relaxed));
}
