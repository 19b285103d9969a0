//! `tsvd-check replay`: by id and by schedule.

use std::path::PathBuf;
use std::process::Command;
use tempfile::TempDir;
use tsvd_check::{Options, Programs, Strategy, format};

const DEADLOCK: &str = "\
use std::{sync::Mutex, thread};

static STOCK: Mutex<u32> = Mutex::new(10);
static SOLD: Mutex<u32> = Mutex::new(0);

fn main() {
    let buyer = thread::spawn(|| {
        let sold = SOLD.lock().unwrap();
        *STOCK.lock().unwrap() -= *sold;
    });
    let stock = STOCK.lock().unwrap();
    *SOLD.lock().unwrap() += *stock;
    drop(stock);
    buyer.join().unwrap();
}
";

/// A folder with one program, in which the tool runs; it contains the cache folder.
struct Folder(TempDir);

impl Folder {
    fn new(text: &str) -> Folder {
        let folder = Folder(tempfile::tempdir().expect("the temporary folder is writable"));
        folder.write(text);
        folder
    }

    fn write(&self, text: &str) {
        std::fs::write(self.0.path().join("stock.rs"), text).expect("the folder is writable");
    }

    fn run(&self, args: &[&str]) -> (String, String, i32) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tsvd-check"));
        let at = |name: &str| self.0.path().join(name);
        command.args(args).current_dir(self.0.path());
        command.env("XDG_CACHE_HOME", at("cache")).env("XDG_CONFIG_HOME", at("config"));
        let output = command.output().expect("the program was built");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("only text is printed");
        (text(output.stdout), text(output.stderr), output.status.code().expect("it was not killed"))
    }

    fn findings(&self) -> PathBuf {
        self.0.path().join("cache/tsvd-check/findings")
    }

    /// Checks the program; returns the id of its only finding, and the remembered finding.
    fn check(&self) -> (String, String) {
        let (stdout, _, status) = self.run(&["check", "stock.rs", "--format", "short"]);
        assert_eq!((stdout.lines().count(), status), (1, 1), "{stdout}");
        let mut files = std::fs::read_dir(self.findings()).expect("a finding is remembered");
        let path = files.next().expect("one file").expect("readable").path();
        assert!(files.next().is_none(), "one finding is one file");
        let id = path.file_stem().expect("an id").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(path).expect("readable");
        let finding: serde_json::Value = serde_json::from_str(text.lines().last().expect("a text")).expect("JSON");
        (id, finding["witness"].as_str().expect("its schedule").to_owned())
    }
}

#[test]
fn a_finding_is_shown_again() {
    let folder = Folder::new(DEADLOCK);
    let (id, witness) = folder.check();
    let (stdout, stderr, status) = folder.run(&["replay", &id, "--format", "short"]);
    assert!(stdout.starts_with("stock.rs:") && stdout.contains("error[deadlock]"), "{stdout}");
    assert_eq!((stderr.as_str(), status), (format!("replayed {id} from its schedule: {witness}\n").as_str(), 1));
    // The thread takes its first lock after `main` has taken its own: fewer switches are impossible.
    assert_eq!(witness.split('.').count(), 2, "{witness}");
    // From the schedule, without a remembered finding.
    let again = folder.run(&["replay", "stock.rs", "--schedule", &witness, "--format", "short"]);
    assert_eq!((again.0.as_str(), again.2), (stdout.as_str(), 1));
    // With only the id.
    std::fs::remove_dir_all(folder.findings()).expect("the folder is writable");
    let (found, stderr, status) = folder.run(&["replay", &id, "stock.rs", "--format", "short"]);
    assert_eq!(status, 1, "{stderr}");
    assert!(stderr.starts_with(&format!("{id} is not saved on this machine")), "{stderr}");
    assert_eq!(found.split(": ").next(), stdout.split(": ").next());
}

#[test]
fn a_changed_program_is_said_to_have_changed() {
    let folder = Folder::new(DEADLOCK);
    let (id, _) = folder.check();
    // Comments change nothing.
    folder.write(&format!("// A shop.\n{DEADLOCK}"));
    assert_eq!(folder.run(&["replay", &id]).2, 1);
    // Both take the locks in the same order.
    let lines = "let sold = SOLD.lock().unwrap();\n        *STOCK.lock().unwrap() -= *sold;";
    let fixed = "let mut stock = STOCK.lock().unwrap();\n        *stock -= *SOLD.lock().unwrap();";
    assert!(DEADLOCK.contains(lines));
    folder.write(&DEADLOCK.replace(lines, fixed));
    let (stdout, stderr, status) = folder.run(&["replay", &id]);
    assert_eq!((stdout.as_str(), status), ("", 0), "{stderr}");
    assert!(stderr.contains("the program has changed"), "{stderr}");
    // Nothing is left to schedule.
    folder.write("fn main() {}");
    let (_, stderr, status) = folder.run(&["replay", &id]);
    assert!(status == 0 && stderr.contains("could not be replayed"), "{stderr}");
}

/// A file that others put into the folder of findings is ignored.
#[test]
fn a_finding_of_somebody_else() {
    let folder = Folder::new(DEADLOCK);
    let (id, _) = folder.check();
    let path = folder.findings().join(format!("{id}.finding"));
    let text = std::fs::read_to_string(&path).expect("readable");
    assert!(text.contains("stock.rs"));
    std::fs::write(&path, text.replace("stock.rs", "other.rs")).expect("the folder is writable");
    let (_, stderr, status) = folder.run(&["replay", &id, "stock.rs"]);
    assert!(stderr.starts_with(&format!("{id} is not saved on this machine")) && status == 1, "{stderr}");
    assert!(!path.exists());
    // The same as a copy of another finding.
    std::fs::write(folder.findings().join("000000.finding"), text).expect("the folder is writable");
    let (_, stderr, status) = folder.run(&["replay", "000000", "stock.rs"]);
    assert!(stderr.starts_with("000000 is not saved on this machine") && status == 2, "{stderr}");
}

#[test]
fn wrong_usage() {
    let folder = Folder::new(DEADLOCK);
    let error = |args: &[&str]| {
        let (_, stderr, status) = folder.run(args);
        assert_eq!(status, 2, "{stderr}");
        stderr
    };
    assert!(error(&["replay"]).contains("required"));
    assert!(error(&["replay", "hello"]).contains("not an id of a finding"));
    assert!(error(&["replay", "stock.rs", "--schedule", "1x"]).contains("no part of a schedule"));
    assert!(error(&["replay", "000000", "stock.rs"]).contains("no finding 000000"));
    assert!(error(&["check", "stock.rs", "--strategy", "luck"]).contains("expected one of random-walk, sticky"));
}

/// The same input gives the same bytes, whatever else runs; every strategy finds an easy bug.
#[test]
fn repetitions_agree() {
    let folder = Folder::new(DEADLOCK);
    let path = folder.0.path().join("stock.rs");
    let programs = Programs::load(&[(path.clone(), "2024".to_owned())]).expect("the program can be read");
    let explore = |strategy, runs| {
        let options = Options { strategy, runs, ..Options::default() };
        let explored = programs.check(&path, &options).expect("it has a `main`");
        assert_eq!(explored.diagnostics.len(), 1, "{strategy:?}");
        let witness = explored.diagnostics[0].witness.as_ref().map(ToString::to_string);
        format!("{}{witness:?}", format::short::line(&explored.diagnostics[0]))
    };
    for strategy in Strategy::ALL {
        explore(Some(strategy), Some(40));
    }
    let first = explore(None, Some(10));
    std::thread::scope(|scope| {
        let many = || (0..10).for_each(|_| assert_eq!(explore(None, Some(10)), first));
        scope.spawn(many);
        scope.spawn(many);
    });
}
