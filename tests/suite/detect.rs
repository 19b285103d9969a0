//! Findings: what is reported, and what is not.

mod beginnings;
mod behind;
mod control;
mod environment;
mod fast_bodies;
mod files;
mod harnesses;
mod made_up_inputs;
mod network;
mod panics;
mod processes;
mod results;
mod signals;
mod tasks;
mod test_files;
mod tests_together;

/// A program that calls `body`, which calls `never` where no run may get; that shows as a deadlock.
fn program(imports: &str, body: &str) -> String {
    let start = r"
static LOCK: Mutex<()> = Mutex::new(());

// A function that locks would be called with an unknown argument.
fn hold() -> std::sync::LockResult<std::sync::MutexGuard<'static, ()>> {
    LOCK.lock()
}

fn never(is_wrong: bool) {
    if is_wrong {
        let _held = hold();
        let _again = hold();
    }
}

fn main() {
    // Without a second thread there would be only one run.
    thread::spawn(|| {}).join().unwrap();
    let _ = body();
}
";
    format!("#![allow(unused)]\n{imports}{start}{body}")
}
