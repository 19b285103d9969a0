use std::sync::Mutex;

struct Progress {
    total: u32,
    done: Mutex<u32>,
}

impl Progress {
    fn percent(&self) -> u32 {
        *self.done.lock().unwrap() * 100 / self.total //~ deadlock
    }

    fn advance(&self) {
        *self.done.lock().unwrap() += 1;
    }

    fn show(&self) {
        println!("{} of {} ({} %)", self.done.lock().unwrap(), self.total, self.percent());
    }
}

// The guard among the arguments of `println!` lives until all of them are printed.
fn main() {
    let progress = Progress { total: 4, done: Mutex::new(0) };
    progress.advance();
    progress.show();
}
