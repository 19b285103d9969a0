use std::env;
use std::process::ExitCode;
use std::sync::Mutex;

static NAMES: Mutex<Vec<String>> = Mutex::new(Vec::new());

fn add(name: &str) {
    NAMES.lock().unwrap().push(name.to_owned()); //~ deadlock
}

fn rename(from: &str, to: &str) {
    let mut names = NAMES.lock().unwrap();
    names.retain(|it| it != from);
    add(to);
}

// The command `rename` keeps the lock while it adds the new name, which locks again.
fn main() -> ExitCode {
    let args: Vec<String> = env::args().collect();
    match args.get(1).map(String::as_str) {
        Some("add") => add("new"),
        Some("rename") => rename("old", "new"),
        _ => {
            eprintln!("usage: names add|rename");
            return ExitCode::from(2);
        }
    }
    println!("{} names", NAMES.lock().unwrap().len());
    ExitCode::SUCCESS
}
