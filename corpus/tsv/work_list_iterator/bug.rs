use std::cell::UnsafeCell;
use std::sync::Mutex;
use std::thread;
use std::vec::IntoIter;

struct WorkList {
    files: UnsafeCell<IntoIter<String>>,
    lock: Mutex<()>,
}

unsafe impl Sync for WorkList {}

impl WorkList {
    fn new(files: &[&str]) -> Self {
        let files: Vec<String> = files.iter().map(|file| file.to_string()).collect();
        WorkList { files: UnsafeCell::new(files.into_iter()), lock: Mutex::new(()) }
    }

    fn next(&self) -> Option<String> {
        unsafe { (*self.files.get()).next() } //~ data-race
    }
}

fn check_all(list: &WorkList) -> usize {
    let mut bytes = 0;
    while let Some(file) = list.next() {
        bytes += file.len();
    }
    bytes
}

// Both workers draw their files from one iterator.
fn main() {
    let list = WorkList::new(&["main.rs", "lib.rs", "cli.rs", "log.rs"]);
    let total = thread::scope(|scope| {
        let workers = [scope.spawn(|| check_all(&list)), scope.spawn(|| check_all(&list))];
        workers.into_iter().map(|worker| worker.join().unwrap()).sum::<usize>()
    });
    println!("{total} {}", list.lock.is_poisoned());
}
