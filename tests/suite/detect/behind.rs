//! Deadlocks of code behind another deadlock.

use crate::support::Folder;

/// The first line of each report of a program, with all else of it.
fn deadlocks(source: &str) -> Vec<String> {
    let folder = Folder::new(&[("main.rs", source)]);
    let (stdout, stderr, _) = folder.output(&["check", "--possible", "main.rs"]);
    assert!(stderr.contains(" schedule"), "{stderr}");
    stdout.split("error[deadlock]: ").skip(1).map(str::to_owned).collect()
}

#[test]
fn what_the_code_that_was_left_should_have_done_is_no_deadlock() {
    let source = r#"
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, mpsc};
use std::thread;

static READY: (Mutex<bool>, Condvar) = (Mutex::new(false), Condvar::new());
static HELD: Mutex<u32> = Mutex::new(0);
static DONE: AtomicBool = AtomicBool::new(false);

fn twice() {
    let _first = HELD.lock().unwrap();
    let _second = HELD.lock().unwrap();
}

fn set_up(sender: &mpsc::Sender<u32>) {
    twice();
    *READY.0.lock().unwrap() = true;
    READY.1.notify_all();
    sender.send(1).unwrap();
    DONE.store(true, Ordering::SeqCst);
}

fn wait_ready() {
    let mut ready = READY.0.lock().unwrap();
    while !*ready {
        ready = READY.1.wait(ready).unwrap();
    }
}

fn wait_message(receiver: &mpsc::Receiver<u32>) {
    println!("{}", receiver.recv().unwrap());
}

fn wait_done() {
    let waiter = thread::spawn(|| {
        while !DONE.load(Ordering::SeqCst) {
            thread::yield_now();
        }
    });
    waiter.join().unwrap();
}

fn wait_thread() {
    let gate = Arc::new((Mutex::new(false), Condvar::new()));
    let other = gate.clone();
    let opener = thread::spawn(move || {
        wait_ready();
        *other.0.lock().unwrap() = true;
        other.1.notify_all();
    });
    let mut open = gate.0.lock().unwrap();
    while !*open {
        open = gate.1.wait(open).unwrap();
    }
    drop(open);
    opener.join().unwrap();
}

fn use_lock() {
    *HELD.lock().unwrap() += 1;
}

fn main() {
    let (sender, receiver) = mpsc::channel();
    set_up(&sender);
    use_lock();
    wait_thread();
    wait_ready();
    wait_message(&receiver);
    wait_done();
    use_lock();
}
"#;
    let found = deadlocks(source);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("`main` waits for `HELD`, which it holds itself"), "{found:?}");
}

const IMPORTS: &str = "use std::sync::{Arc, Mutex};\nuse std::thread;\n";

#[test]
fn a_report_says_behind_which_deadlock_it_comes() {
    let source = format!(
        "{IMPORTS}
fn twice(lock: &Mutex<u32>) {{ let _first = lock.lock().unwrap(); let _second = lock.lock().unwrap(); }}
fn again(lock: &Mutex<u32>) {{ let _first = lock.lock().unwrap(); let _second = lock.lock().unwrap(); }}
fn main() {{ let lock = Mutex::new(1); twice(&lock); again(&lock); }}
"
    );
    let found = deadlocks(&source);
    assert_eq!(found.len(), 2, "{found:?}");
    let behind = "behind: the run went on after the deadlock at main.rs:4, as if its threads had been ended there";
    assert_eq!(found.iter().map(|it| it.contains(behind)).collect::<Vec<_>>(), [false, true], "{found:?}");
    assert!(found.iter().all(|it| it.contains(" 1 main.rs:")), "{found:?}");
}

#[test]
fn a_deadlock_that_also_shows_without_one_before_it_is_told_so() {
    // One of the two comes first in half of the schedules.
    let source = format!(
        "{IMPORTS}
static A: Mutex<u32> = Mutex::new(0);
static B: Mutex<u32> = Mutex::new(0);
fn orders() {{
    let worker = thread::spawn(|| {{ let _b = B.lock().unwrap(); let _a = A.lock().unwrap(); }});
    let a = A.lock().unwrap();
    let b = B.lock().unwrap();
    drop((a, b));
    worker.join().unwrap();
}}
fn twice() {{ let _first = A.lock().unwrap(); let _second = A.lock().unwrap(); }}
fn main() {{ orders(); twice(); }}
"
    );
    let found = deadlocks(&source);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found.iter().all(|it| !it.contains("behind: ")), "{found:?}");
}

#[test]
fn nothing_but_deadlocks_is_told_behind_one() {
    let source = format!(
        "{IMPORTS}
static mut COUNT: u32 = 0;
fn twice(lock: &Mutex<u32>) {{ let _first = lock.lock().unwrap(); let _second = lock.lock().unwrap(); }}
fn race() {{
    let worker = thread::spawn(|| unsafe {{ COUNT += 1 }});
    unsafe {{ COUNT += 1 }};
    worker.join().unwrap();
}}
fn fail() {{
    let shared = Arc::new(Mutex::new(Some(1)));
    let other = shared.clone();
    let worker = thread::spawn(move || other.lock().unwrap().take());
    println!(\"{{}}\", shared.lock().unwrap().unwrap());
    worker.join().unwrap();
}}
fn main() {{ twice(&Mutex::new(1)); race(); fail(); }}
"
    );
    let folder = Folder::new(&[("main.rs", &source)]);
    let (stdout, stderr, _) = folder.output(&["check", "--possible", "--format", "short", "main.rs"]);
    // The race shows where its function is called directly.
    let found: Vec<&str> = stdout.lines().collect();
    assert_eq!(found.len(), 2, "{stdout}{stderr}");
    assert!(found[0].starts_with("main.rs:5:") && found[1].starts_with("main.rs:7:"), "{stdout}");
    // That of `main` itself is only behind the deadlock.
    let inline = format!(
        "{IMPORTS}
static mut COUNT: u32 = 0;
fn twice(lock: &Mutex<u32>) {{ let _first = lock.lock().unwrap(); let _second = lock.lock().unwrap(); }}
fn main() {{
    twice(&Mutex::new(1));
    let worker = thread::spawn(|| unsafe {{ COUNT += 1 }});
    unsafe {{ COUNT += 1 }};
    worker.join().unwrap();
}}
"
    );
    let folder = Folder::new(&[("main.rs", &inline)]);
    let (stdout, stderr, _) = folder.output(&["check", "--possible", "--format", "short", "main.rs"]);
    assert!(stdout.lines().count() == 1 && stdout.starts_with("main.rs:5:"), "{stdout}{stderr}");
}

const LOCKS: &str = "
static A: Mutex<u32> = Mutex::new(0);
static B: Mutex<u32> = Mutex::new(0);
fn orders() {
    let worker = thread::spawn(|| { let _b = B.lock().unwrap(); let _a = A.lock().unwrap(); });
    let a = A.lock().unwrap();
    let b = B.lock().unwrap();
    drop((a, b));
    worker.join().unwrap();
}
";

#[test]
fn a_deadlock_behind_a_panic_in_all_runs() {
    let source = format!(
        "{IMPORTS}{}fn first() {{ let list: Vec<u32> = Vec::new(); println!(\"{{}}\", list[list.len()]); }}\n",
        // Functions that only a run behind a panic reaches are called directly too, but `main` is not.
        LOCKS.replace("fn orders() {", "fn main() { first();")
    );
    let folder = Folder::new(&[("main.rs", &source)]);
    let (stdout, stderr, status) = folder.output(&["check", "main.rs"]);
    assert!(stdout.contains("error[deadlock]") && status == 1, "{stdout}{stderr}");
    let behind = "behind: the run went on after the panic at main.rs:13, as if the call had returned";
    assert!(stdout.contains(behind), "{stdout}");
    assert!(stderr.contains("ended by a panic (100 of 100 schedules)"), "{stderr}");
    let id = stdout.split("tsvd-check replay ").nth(1).and_then(|rest| rest.get(..6)).expect("a report has an id");
    let (again, stderr, status) = folder.output(&["replay", id, "main.rs"]);
    assert!(again.contains(behind) && stderr.contains("replayed") && status == 1, "{again}{stderr}");
}

#[test]
fn nothing_is_behind_a_panic_that_some_runs_do_not_have() {
    // A quarter of all runs: the deadlock needs the work that was left out.
    let source = format!(
        "{IMPORTS}{LOCKS}fn first() {{
    let done = Arc::new(Mutex::new(0));
    let workers: Vec<_> = (0..2).map(|n| {{ let done = done.clone(); thread::spawn(move || *done.lock().unwrap() = n) }}).collect();
    workers.into_iter().for_each(|it| it.join().unwrap());
    if *done.lock().unwrap() == 1 {{ panic!(\"late\") }}
    std::process::exit(0);
}}
fn main() {{ first(); orders(); }}
"
    );
    let folder = Folder::new(&[("main.rs", &source)]);
    let (stdout, stderr, _) = folder.output(&["check", "main.rs"]);
    assert!(!stdout.contains("behind: ") && !stderr.contains("ended by a panic (100 of"), "{stdout}{stderr}");
}

#[test]
fn nothing_is_behind_a_panic_that_is_expected_or_caught() {
    let source = format!(
        "{IMPORTS}{LOCKS}fn first() {{ panic!(\"as documented\"); }}
fn main() {{ assert!(std::panic::catch_unwind(|| {{ first(); orders(); }}).is_err()); }}
#[test]
#[should_panic]
fn panics() {{ first(); orders(); }}
"
    );
    let (stdout, stderr, status) = Folder::new(&[("main.rs", &source)]).output(&["check", "--no-api", "main.rs"]);
    assert!(stdout.is_empty() && status == 0, "{stdout}{stderr}");
}
