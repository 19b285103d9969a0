//! Signals from outside of the run, and the handlers that they meet.

use crate::support::Folder;

/// The imports of the programs, what they declare of the C library, and a handler that asks them to stop.
const START: &str = r#"
use std::io::{self, Read};
use std::mem::MaybeUninit;
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock, mpsc};
use std::thread::{self, Thread};
use std::time::Duration;

#[repr(C)]
#[derive(Clone, Copy)]
struct SigSet([u64; 16]);
unsafe extern "C" {
    fn signal(number: i32, handler: usize) -> usize;
    fn sigemptyset(set: *mut SigSet) -> i32;
    fn sigaddset(set: *mut SigSet, number: i32) -> i32;
    fn pthread_sigmask(how: i32, new: *const SigSet, old: *mut SigSet) -> i32;
    fn sigwait(set: *const SigSet, number: *mut i32) -> i32;
    fn pause() -> i32;
    fn write(fd: i32, bytes: *const u8, count: usize) -> isize;
}

const SIGHUP: i32 = 1;
const SIGINT: i32 = 2;
const SIGTERM: i32 = 15;
static STOP: AtomicBool = AtomicBool::new(false);

extern "C" fn stop(_: i32) {
    STOP.store(true, Ordering::Release);
}

fn handle(number: i32, handler: extern "C" fn(i32)) {
    unsafe { signal(number, handler as *const () as usize) };
}
"#;

fn check(program: &str, seed: &str) -> (String, String, i32) {
    let folder = Folder::new(&[("signals.rs", format!("{START}{program}").as_str())]);
    folder.output(&["check", "signals.rs", "--possible", "--runs", "100", "--seed", seed])
}

/// Checks that nothing is found, and that all runs end.
#[track_caller]
fn is_silent(program: &str) {
    for seed in ["1", "2", "3"] {
        let (stdout, stderr, status) = check(program, seed);
        assert_eq!((stdout.as_str(), status), ("", 0), "{stderr}");
        assert!(!stderr.contains("not followed to the end"), "{stderr}");
    }
}

/// Checks that there is one finding with these texts.
#[track_caller]
fn shows(program: &str, texts: &[&str]) {
    let (stdout, stderr, status) = check(program, "1");
    assert!(status == 1 && stdout.matches("error[").count() == 1, "{stdout}{stderr}");
    for text in texts {
        assert!(stdout.contains(text), "{text}: {stdout}");
    }
}

/// The main loop looks at the flag, and then wakes the worker under the lock.
const SERVICE: &str = r#"
fn main() {
    handle(SIGINT, stop);
    handle(SIGTERM, stop);
    let jobs = Arc::new((Mutex::new((0u32, false)), Condvar::new()));
    let worker = thread::spawn({
        let jobs = jobs.clone();
        move || {
            let mut done = 0;
            let mut state = jobs.0.lock().unwrap();
            loop {
                match *state {
                    (0, true) => return done,
                    (0, false) => state = jobs.1.wait(state).unwrap(),
                    _ => (state.0, done) = (state.0 - 1, done + 1),
                }
            }
        }
    });
    while !STOP.load(Ordering::Acquire) {
        jobs.0.lock().unwrap().0 += 1;
        jobs.1.notify_one();
        thread::sleep(Duration::from_millis(500));
    }
    jobs.0.lock().unwrap().1 = true;
    jobs.1.notify_one();
    println!("{}", worker.join().unwrap());
}
"#;

#[test]
fn a_flag_of_a_handler_ends_a_loop() {
    is_silent(SERVICE);
    let forgotten = SERVICE.replace("= true;\n    jobs.1.notify_one();", "= true;");
    shows(
        &forgotten,
        &["waits forever for thread 1", "for a notification of `jobs.1`", "the signal SIG", "handles SIG"],
    );
    let (stdout, _, _) = check(&forgotten, "1");
    assert!(stdout.matches("handles SIG").count() < 3, "those during the last wait are left out: {stdout}");
}

#[test]
fn a_handler_unparks_a_thread() {
    is_silent(
        r#"
static MAIN: OnceLock<Thread> = OnceLock::new();

extern "C" fn wake(number: i32) {
    stop(number);
    if let Some(main) = MAIN.get() {
        main.unpark();
    }
}

fn main() {
    MAIN.set(thread::current()).unwrap();
    handle(SIGTERM, wake);
    let workers: Vec<_> = (0..2)
        .map(|_| {
            thread::spawn(|| {
                while !STOP.load(Ordering::Acquire) {
                    thread::park_timeout(Duration::from_secs(1));
                }
            })
        })
        .collect();
    while !STOP.load(Ordering::Acquire) {
        thread::park();
    }
    workers.into_iter().for_each(|worker| worker.join().unwrap());
}
"#,
    );
}

#[test]
fn a_thread_waits_for_signals() {
    is_silent(
        r#"
fn main() {
    let mut set = MaybeUninit::<SigSet>::uninit();
    let set = unsafe {
        sigemptyset(set.as_mut_ptr());
        sigaddset(set.as_mut_ptr(), SIGHUP);
        sigaddset(set.as_mut_ptr(), SIGTERM);
        pthread_sigmask(0, set.as_ptr(), std::ptr::null_mut());
        set.assume_init()
    };
    let (sender, receiver) = mpsc::channel();
    let signals = thread::spawn(move || loop {
        let mut number = 0;
        assert_eq!(unsafe { sigwait(&set, &mut number) }, 0);
        if sender.send(number).is_err() || number == SIGTERM {
            return;
        }
    });
    let reloads = receiver.iter().take_while(|number| *number != SIGTERM).count();
    println!("{reloads}");
    signals.join().unwrap();
}
"#,
    );
}

/// A server with two locks; `ENDS` is what it does at its end.
const TWO_LOCKS: &str = r#"
static WAKE: AtomicI32 = AtomicI32::new(-1);

extern "C" fn wake(_: i32) {
    unsafe { write(WAKE.load(Ordering::Relaxed), b"x".as_ptr(), 1) };
}

#[derive(Default)]
struct Server {
    sessions: Mutex<Vec<u32>>,
    sum: Mutex<u32>,
}

fn main() {
    let (mut reader, writer) = UnixStream::pair().unwrap();
    WAKE.store(writer.as_raw_fd(), Ordering::Relaxed);
    handle(SIGINT, wake);
    let server = Arc::new(Server::default());
    server.sessions.lock().unwrap().push(1);
    let ticker = thread::spawn({
        let server = server.clone();
        move || loop {
            thread::sleep(Duration::from_secs(1));
            let sessions = server.sessions.lock().unwrap();
            if sessions.is_empty() {
                return;
            }
            *server.sum.lock().unwrap() += 1;
        }
    });
    reader.read_exact(&mut [0]).unwrap();
    ENDS
    ticker.join().unwrap();
}
"#;

#[test]
fn what_happens_at_the_end_is_checked() {
    let in_order = "server.sessions.lock().unwrap().clear();\n    println!(\"{}\", server.sum.lock().unwrap());";
    is_silent(&TWO_LOCKS.replace("ENDS", in_order));
    let crossed = "let sum = server.sum.lock().unwrap();\n    server.sessions.lock().unwrap().clear();\n    drop(sum);";
    let texts =
        ["each hold a lock the other waits for", "`Server.sessions`", "`Server.sum`", "given: the signal SIGINT"];
    shows(&TWO_LOCKS.replace("ENDS", crossed), &texts);
}

#[test]
fn a_handler_that_locks_what_it_interrupts() {
    shows(
        r#"
static EVENTS: Mutex<Vec<i32>> = Mutex::new(Vec::new());

extern "C" fn note(number: i32) {
    EVENTS.lock().unwrap().push(number);
}

fn main() {
    handle(SIGHUP, note);
    handle(SIGTERM, stop);
    let counter = thread::spawn(|| {
        while !STOP.load(Ordering::Acquire) {
            thread::sleep(Duration::from_secs(1));
        }
    });
    while !STOP.load(Ordering::Acquire) {
        let mut events = EVENTS.lock().unwrap();
        for round in 0..50 {
            if round % 10 == 0 {
                events.push(-1);
            }
        }
        drop(events);
        thread::yield_now();
    }
    counter.join().unwrap();
}
"#,
        &["error[deadlock]", "EVENTS", "given: the signal"],
    );
}

#[test]
fn a_daemon_that_waits_for_more_signals_is_no_deadlock() {
    is_silent(
        r#"
static RELOADS: AtomicI32 = AtomicI32::new(0);

extern "C" fn reload(_: i32) {
    RELOADS.fetch_add(1, Ordering::Relaxed);
    wake(0);
}

extern "C" fn wake(_: i32) {
    unsafe { write(WAKE.load(Ordering::Relaxed), b"x".as_ptr(), 1) };
}
static WAKE: AtomicI32 = AtomicI32::new(-1);

fn main() {
    let (mut reader, writer) = UnixStream::pair().unwrap();
    WAKE.store(writer.as_raw_fd(), Ordering::Relaxed);
    handle(SIGHUP, reload);
    thread::spawn(move || {
        while reader.read_exact(&mut [0]).is_ok() {
            println!("{}", RELOADS.load(Ordering::Relaxed));
        }
    });
    loop {
        thread::park();
    }
}
"#,
    );
}

#[test]
fn no_signal_comes_where_nothing_is_outside() {
    let program = "fn main() {\n    handle(SIGTERM, stop);\n    while !STOP.load(Ordering::Acquire) {\n        unsafe { pause() };\n    }\n}";
    let folder = Folder::new(&[("signals.rs", format!("{START}{program}").as_str())]);
    let (stdout, stderr, _) = folder.output(&["run", "signals.rs"]);
    assert!(stdout.is_empty() && stderr.contains("it waits for something from outside"), "{stdout}{stderr}");
    let (stdout, stderr, status) = folder.output(&["check", "signals.rs", "--possible"]);
    assert_eq!((stdout.as_str(), status), ("", 0), "{stderr}");
}

/// A signal that may come during the long beginning would come in each schedule, as all share it.
const SLOW_START: &str = r#"
static mut COUNT: u32 = 0;

fn main() {
    handle(SIGINT, stop);
    let mut sum = 0_u64;
    for number in 0..600_000_u64 {
        sum = sum.rotate_left(5) ^ number;
    }
    println!("{sum}");
    let worker = thread::spawn(|| {
        if !STOP.load(Ordering::Acquire) {
            unsafe { COUNT += 1 }
        }
    });
    if !STOP.load(Ordering::Acquire) {
        unsafe { COUNT += 1 }
    }
    worker.join().unwrap();
}
"#;

#[test]
fn a_program_is_asked_to_end_after_it_has_begun() {
    shows(SLOW_START, &["error[data-race]"]);
}
