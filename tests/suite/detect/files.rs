//! Files in a run: the program finds its own changes again, whatever else is made up.

use crate::support::Folder;

/// The imports of the bodies.
const IMPORTS: &str = "\
use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread;
";

/// The output of `check` with a fixed number of runs; its status is 1 if any run has a finding.
fn check(body: &str) -> (String, String, i32) {
    let text = super::program(IMPORTS, body);
    let folder = Folder::new(&[("files.rs", text.as_str())]);
    folder.output(&["check", "files.rs", "--possible", "--runs", "100"])
}

#[track_caller]
fn holds(body: &str) {
    let (stdout, stderr, status) = check(body);
    assert_eq!((stdout.as_str(), status), ("", 0), "{stderr}");
}

/// Checks that something may happen: it shows as a finding that depends on some input.
#[track_caller]
fn may_happen(body: &str, given: &str) {
    let (stdout, stderr, status) = check(body);
    assert!(status == 1 && stdout.contains("some-input"), "{stdout}{stderr}");
    assert!(stdout.contains(given), "{stdout}");
}

#[test]
fn what_was_written_is_read() {
    holds(
        r#"
fn body() -> io::Result<()> {
    fs::write("notes.txt", "first\nsecond\n")?;
    if let Ok(text) = fs::read_to_string("notes.txt") {
        never(text != "first\nsecond\n");
    }
    let mut file = OpenOptions::new().append(true).read(true).open("notes.txt")?;
    file.write_all(b"third")?;
    never(file.metadata()?.len() != 18);
    never(file.seek(SeekFrom::Start(6))? != 6);
    let mut rest = String::new();
    file.read_to_string(&mut rest)?;
    never(rest != "second\nthird");
    file.set_len(5)?;
    never(fs::metadata("notes.txt")?.len() != 5);
    let mut lines = BufWriter::new(File::create("./notes.txt")?);
    for number in 0..100 {
        writeln!(lines, "line {number}")?;
    }
    drop(lines);
    let file = BufReader::new(File::open("other/../notes.txt")?);
    for (number, line) in file.lines().enumerate() {
        never(line? != format!("line {number}"));
    }
    Ok(())
}
"#,
    );
}

#[test]
fn what_was_removed_is_gone() {
    holds(
        r#"
fn body() -> io::Result<()> {
    File::create("old")?;
    never(!Path::new("old").exists());
    if let Err(error) = fs::rename("old", "new") {
        never(error.kind() == ErrorKind::NotFound);
        return Ok(());
    }
    never(Path::new("old").exists() || !Path::new("new").exists());
    never(File::create_new("new").is_ok());
    if let Err(error) = fs::remove_file("new") {
        never(error.kind() == ErrorKind::NotFound);
        return Ok(());
    }
    never(Path::new("new").exists() || File::open("new").is_ok() || fs::metadata("new").is_ok());
    never(fs::remove_file("new").is_ok());
    Ok(())
}
"#,
    );
}

#[test]
fn a_file_that_is_there_is_not_made_anew() {
    holds(
        r#"
fn body() -> io::Result<()> {
    let mut numbers = BTreeSet::new();
    for number in 0..20 {
        // How names of temporary files are chosen.
        match OpenOptions::new().write(true).create_new(true).open(format!("tmp.{}", number % 7)) {
            Ok(_) => never(!numbers.insert(number % 7)),
            Err(error) if numbers.contains(&(number % 7)) => never(error.kind() != ErrorKind::AlreadyExists),
            Err(_) => {}
        }
    }
    Ok(())
}
"#,
    );
}

#[test]
fn a_folder_has_what_was_made_in_it() {
    holds(
        r#"
fn names(folder: &str) -> io::Result<Vec<String>> {
    let names = fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name().into_string().unwrap()));
    let mut names = names.collect::<io::Result<Vec<_>>>()?;
    names.sort();
    Ok(names)
}

fn body() -> io::Result<()> {
    fs::create_dir_all("out/deep")?;
    never(!Path::new("out/deep").is_dir());
    fs::create_dir("out/deep/inner")?;
    never(names("out/deep/inner").is_ok_and(|names| !names.is_empty()));
    fs::write("out/deep/inner/b", "1")?;
    fs::write("out/deep/inner/a", "22")?;
    never(names("out/deep/inner").is_ok_and(|names| names != ["a", "b"]));
    for entry in fs::read_dir("out/deep/inner")? {
        let entry = entry?;
        never(entry.metadata()?.len() != if entry.file_name() == "a" { 2 } else { 1 });
    }
    never(fs::remove_dir("out/deep/inner").is_ok());
    if fs::remove_dir_all("out/deep").is_ok() {
        never(Path::new("out/deep/inner/a").exists() || Path::new("out/deep").exists());
    }
    Ok(())
}
"#,
    );
}

#[test]
fn what_is_made_up_stays_the_same() {
    holds(
        r#"
fn body() -> io::Result<()> {
    let there = fs::exists("/etc/app.conf")?;
    match fs::read_to_string("/etc/app.conf") {
        Ok(text) => {
            never(!there);
            never(fs::metadata("/etc/app.conf")?.len() != text.len() as u64);
            if let Ok(again) = fs::read_to_string("/etc/../etc/app.conf") {
                never(again != text);
            }
            let mut first = [0];
            let mut file = File::open("/etc/app.conf")?;
            if file.read(&mut first)? == 1 {
                never(first[0] != text.as_bytes()[0]);
            }
        }
        Err(error) => never(there && error.kind() == ErrorKind::NotFound),
    }
    let listed = |folder| -> io::Result<Vec<_>> {
        fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect()
    };
    if let (Ok(one), Ok(two)) = (listed("/etc/app.d"), listed("/etc/app.d")) {
        never(one != two || one.iter().any(|path| !path.exists()));
    }
    Ok(())
}
"#,
    );
}

/// A full disk is the bound on the size of files; devices have no contents.
#[test]
fn disks_are_full_and_devices_are_not() {
    holds(
        r#"
fn body() -> io::Result<()> {
    let part = vec![7; 1 << 16];
    let mut null = OpenOptions::new().read(true).write(true).open("/dev/null")?;
    let mut file = File::create("big")?;
    for _ in 0..200 {
        null.write_all(&part).unwrap();
        if let Err(error) = file.write_all(&part) {
            never(error.kind() != ErrorKind::StorageFull || file.metadata()?.len() % (1 << 16) != 0);
            never(null.metadata()?.len() != 0 || null.read(&mut [0])? != 0);
            let mut random = [0; 40];
            File::open("/dev/urandom")?.read_exact(&mut random).unwrap();
            never(random == [0; 40]);
            return Ok(());
        }
    }
    never(true);
    Ok(())
}
"#,
    );
}

/// Unknown facts go both ways, and so do calls that the system may refuse.
#[test]
fn what_nobody_knows_is_made_up() {
    may_happen("fn body() -> io::Result<()> { never(!fs::exists(\"/etc/app.conf\")?); Ok(()) }", "no /etc/app.conf");
    may_happen(
        "fn body() -> io::Result<()> { never(!fs::read_to_string(\"app.conf\")?.is_empty()); Ok(()) }",
        "a file app.conf with ",
    );
    may_happen(
        "fn body() -> io::Result<()> { never(fs::read_dir(\"/etc/app.d\")?.count() == 1); Ok(()) }",
        "a folder /etc/app.d with ",
    );
    may_happen("fn body() -> io::Result<()> { never(File::create(\"out\").is_err()); Ok(()) }", "");
    may_happen(
        "fn body() -> io::Result<()> { File::create(\"out\")?; never(fs::rename(\"out\", \"in\").is_err()); Ok(()) }",
        "",
    );
}

/// Threads that log into one file find all their lines in it.
#[test]
fn a_log_behind_a_lock() {
    holds(
        r#"
fn body() -> io::Result<()> {
    let log = Arc::new(Mutex::new(File::create("log")?));
    let threads = [1, 2].map(|number| {
        let log = log.clone();
        thread::spawn(move || {
            for line in 0..3 {
                writeln!(log.lock().unwrap(), "{number} {line}").unwrap();
            }
        })
    });
    for thread in threads {
        thread.join().unwrap();
    }
    let text = fs::read_to_string("log")?;
    let mut lines: Vec<_> = text.lines().collect();
    lines.sort();
    assert_eq!(lines, ["1 0", "1 1", "1 2", "2 0", "2 1", "2 2"]);
    never(lines.len() != 6);
    Ok(())
}
"#,
    );
}

/// Data from a pipe come after their sending, and file locks exclude others.
#[test]
fn pipes_and_locks_order_threads() {
    holds(
        r#"
static mut SHARED: u32 = 0;

fn body() -> io::Result<()> {
    let (mut from, mut to) = io::pipe()?;
    let sender = thread::spawn(move || {
        unsafe { SHARED = 7 };
        to.write_all(b"!").unwrap();
    });
    let mut byte = [0];
    from.read_exact(&mut byte)?;
    never(byte != *b"!" || unsafe { SHARED } != 7);
    sender.join().unwrap();
    File::create("lock")?;
    let threads = [1, 2].map(|number| {
        thread::spawn(move || -> io::Result<()> {
            let file = File::open("lock")?;
            file.lock()?;
            unsafe { SHARED += number };
            file.unlock()
        })
    });
    for thread in threads {
        let _ = thread.join().unwrap();
    }
    Ok(())
}
"#,
    );
}

/// A program finds its own files, and none of this process's disk.
#[test]
fn a_run_has_files_of_its_own() {
    const OWN: &str = r#"
use std::fs;

fn main() -> std::io::Result<()> {
    fs::create_dir_all("made/inner")?;
    fs::write("made/inner/text", "some text")?;
    println!("{:?}", fs::read_to_string("made/inner/text")?);
    fs::rename("made/inner", "made/moved")?;
    println!("{} {}", fs::metadata("made/moved/text")?.len(), fs::exists("made/inner")?);
    fs::remove_dir_all("made/moved")
}
"#;
    // Unknown bytes stay unknown in files.
    const UNKNOWN: &str = r#"
use std::{fs, io::{self, Write}};

unsafe extern "C" {
    safe fn mystery() -> u8;
}

fn main() -> io::Result<()> {
    fs::write("bytes", [b'<', mystery(), b'>'])?;
    fs::copy("bytes", "copy")?;
    io::stdout().write_all(&fs::read("copy")?)
}
"#;
    const FOUND: &str = "fn main() { println!(\"{:?}\", std::fs::read_to_string(\"found.txt\").ok()); }";
    let folder = Folder::new(&[
        ("own.rs", OWN),
        ("unknown.rs", UNKNOWN),
        ("found.rs", FOUND),
        ("found.txt", "what is really there"),
    ]);
    for seed in ["0", "1"] {
        let (stdout, stderr, status) = folder.output(&["run", "own.rs", "--seed", seed]);
        // Whether the outermost folder existed before is unknown.
        assert_eq!((stdout.as_str(), status), ("\"some text\"\n9 false\n", 0), "{stderr}");
        assert!(!folder.path().join("made").exists());
        let (stdout, stderr, _) = folder.output(&["run", "unknown.rs", "--seed", seed]);
        assert_eq!(stdout, "<?>", "{stderr}");
        let (stdout, stderr, _) = folder.output(&["run", "found.rs", "--seed", seed]);
        assert!(!stdout.contains("really") && stderr.starts_with("uninterpreted: "), "{stdout}{stderr}");
    }
}
