use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

static JOURNAL: Mutex<Vec<String>> = Mutex::new(Vec::new());

type Locked<T> = Result<T, PoisonError<MutexGuard<'static, Vec<String>>>>;

fn append(line: &str) -> Locked<usize> {
    let mut journal = JOURNAL.lock()?;
    journal.push(line.to_string());
    Ok(journal.len())
}

fn restart() {
    JOURNAL.clear_poison();
    JOURNAL.lock().unwrap().clear(); //~ deadlock
}

// The error that `?` hands on has the guard of the poisoned lock inside.
fn main() {
    let writer = thread::spawn(|| {
        let _journal = JOURNAL.lock().unwrap();
        panic!("disk full");
    });
    assert!(writer.join().is_err());
    match append("started") {
        Ok(lines) => println!("{lines} lines"),
        Err(_error) => {
            restart();
            println!("{}", append("restarted").is_ok());
        }
    }
}
