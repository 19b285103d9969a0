//! Schedules, which a report prints and a user may change: reading ends, printing gives the text back, and whatever can be read
//! can be replayed, with the same outcome each time.

use std::sync::OnceLock;
use tempfile::TempDir;
use tsvd_check::{Programs, Witness};

/// Two locks in two orders, a wait with a deadline and a condition variable: all kinds of choices.
const PROGRAM: &str = "
use std::{sync::{Arc, Condvar, Mutex}, thread, time::Duration};

fn main() {
    let pair = Arc::new((Mutex::new(0), Mutex::new(0), Condvar::new()));
    let other = pair.clone();
    let thread = thread::spawn(move || {
        let first = other.0.lock().unwrap();
        *other.1.lock().unwrap() += *first;
        other.2.notify_one();
    });
    {
        let second = pair.1.lock().unwrap();
        let (second, _) = pair.2.wait_timeout(second, Duration::from_millis(1)).unwrap();
        *pair.0.lock().unwrap() += *second;
    }
    thread.join().unwrap();
}
";

struct Loaded {
    folder: TempDir,
    programs: Programs,
}

fn loaded() -> &'static Loaded {
    static LOADED: OnceLock<Loaded> = OnceLock::new();
    LOADED.get_or_init(|| {
        let folder = tempfile::tempdir().expect("the temporary folder is writable");
        let path = folder.path().join("main.rs");
        std::fs::write(&path, PROGRAM).expect("the folder is writable");
        let programs = Programs::load(&[(path, "2024".to_owned())]).expect("it is there");
        Loaded { folder, programs }
    })
}

pub(super) fn one_input(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let witness: Witness = match text.parse() {
        Ok(witness) => witness,
        Err(error) => {
            assert!(!error.to_string().is_empty(), "an error without a word");
            return;
        }
    };
    let printed = witness.to_string();
    assert_eq!(printed.parse::<Witness>().as_ref(), Ok(&witness), "{printed} is another schedule");
    let Loaded { folder, programs } = loaded();
    let replay = || {
        let replayed = programs.replay(&folder.path().join("main.rs"), &witness).expect("it has a `main`");
        let causes: Vec<_> = replayed.diagnostics.iter().map(|it| (it.rule, it.message.clone())).collect();
        (causes, replayed.diverged_at)
    };
    assert_eq!(replay(), replay(), "{printed} gives two different runs");
}
