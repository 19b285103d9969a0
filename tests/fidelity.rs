//! Interprets every program of `fidelity/programs` and of the packages in `fidelity/packages`, and compares stdout, exit
//! status and stderr with the compiled program's (`fidelity/record.sh` records them). Tests in `unoptimised` interpret
//! the same programs without optimisation.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Arguments, Failed, Trial};

#[path = "fidelity/packages.rs"]
mod packages;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fidelity/programs");
    let mut sources = Vec::new();
    collect(&root, &mut sources);
    sources.sort();
    assert!(!sources.is_empty(), "no programs in {}", root.display());
    let editions: Vec<(PathBuf, String)> =
        sources.iter().map(|it| (it.clone(), edition(&std::fs::read_to_string(it).unwrap_or_default()))).collect();
    // One std for all of them.
    let programs = match tsvd_check::Programs::load(&editions) {
        Ok(programs) => Arc::new(programs),
        Err(error) => panic!("{error}"),
    };
    let mut trials = Vec::new();
    for (number, source) in sources.into_iter().enumerate() {
        let relative = source.strip_prefix(&root).expect("below the root").with_extension("");
        let name = relative.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("::");
        // A known failure stays visible: this fails as soon as it passes.
        let is_known = relative.starts_with("known");
        if !is_known && number % UNOPTIMISED == 0 {
            let (programs, source) = (programs.clone(), source.clone());
            let name = format!("unoptimised::{name}");
            trials.push(Trial::test(name, move || {
                let got = programs.interpret_unoptimised(&source);
                if number == 0 {
                    // Checks that optimisation was off.
                    let optimised = programs.interpret(&source);
                    assert!(got.steps > optimised.steps, "{} steps, {} of optimised code", got.steps, optimised.steps);
                }
                check(&got, &source)
            }));
        }
        let programs = programs.clone();
        trials.push(Trial::test(name, move || {
            if is_known {
                still_wrong(&programs.interpret_at_most(&source, KNOWN_STEPS), &source)
            } else {
                check(&programs.interpret(&source), &source)
            }
        }));
    }
    trials.extend(packages::trials());
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// One program in this many is also interpreted unoptimised.
const UNOPTIMISED: usize = 6;

/// Maximum number of steps of a program that is known to be wrong: it may spin.
const KNOWN_STEPS: u64 = 100_000_000;

fn collect(folder: &Path, sources: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for entry in entries {
        let path = entry.expect("readable folder").path();
        if path.is_dir() {
            collect(&path, sources);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            sources.push(path);
        }
    }
}

struct Recorded {
    stdout: Vec<u8>,
    stderr: String,
    status: i32,
}

fn recorded(source: &Path) -> Result<Recorded, Failed> {
    let stdout = std::fs::read(source.with_extension("out"))
        .map_err(|error| format!("not recorded ({error}); run tests/fidelity/record.sh"))?;
    let (mut status, mut stderr) = (0, String::new());
    let file = source.with_extension("status");
    if file.exists() {
        let text = std::fs::read_to_string(&file)?;
        let (first, rest) = text.split_once('\n').ok_or("empty .status")?;
        status = first.strip_prefix("exit status: ").ok_or("no exit status in .status")?.parse()?;
        stderr = rest.to_owned();
    }
    Ok(Recorded { stdout, stderr, status })
}

/// Passes as long as a known failure fails.
fn still_wrong(got: &tsvd_check::ProgramOutput, source: &Path) -> Result<(), Failed> {
    match check(got, source) {
        Ok(()) => Err("this is right now: move it out of `known`, as tests/fidelity/promote.sh does".into()),
        Err(_) => Ok(()),
    }
}

fn check(got: &tsvd_check::ProgramOutput, source: &Path) -> Result<(), Failed> {
    let expected = recorded(source)?;
    let mut report = String::new();
    if let Some(why) = &got.uninterpreted {
        writeln!(report, "uninterpreted: {why}")?;
    }
    if got.status != expected.status {
        writeln!(report, "exit status: expected {}, got {}", expected.status, got.status)?;
    }
    compare(&mut report, "stdout", &expected.stdout, &got.stdout)?;
    let stderr = normalise(&String::from_utf8_lossy(&got.stderr));
    compare(&mut report, "stderr", expected.stderr.as_bytes(), stderr.as_bytes())?;
    if report.is_empty() { Ok(()) } else { Err(format!("{}\n{report}", source.display()).into()) }
}

/// The edition in a first line `//@ edition: 2021`.
fn edition(text: &str) -> String {
    let first = text.lines().next().unwrap_or_default();
    first.strip_prefix("//@ edition:").map_or("2024", str::trim).to_owned()
}

/// As in `record.sh`: thread ids and the folder of std differ between runs and machines.
fn normalise(stderr: &str) -> String {
    stderr.split_inclusive('\n').map(|line| without_std_folder(&without_thread_id(line))).collect()
}

fn without_thread_id(line: &str) -> String {
    for verb in [" panicked at ", " has overflowed "] {
        if line.starts_with("thread '")
            && let Some((before, after)) = line.split_once(&format!("){verb}"))
            && let Some((thread, id)) = before.rsplit_once(" (")
            && id.bytes().all(|byte| byte.is_ascii_digit())
        {
            return format!("{thread} (TID){verb}{after}");
        }
    }
    line.to_owned()
}

fn without_std_folder(line: &str) -> String {
    for part in ["core", "alloc", "std"] {
        if let Some(at) = line.find(&format!("/library/{part}/src/")) {
            let start = line[..at].rfind(' ').map_or(0, |space| space + 1);
            return format!("{}(STD){}", &line[..start], &line[at + "/library".len()..]);
        }
    }
    line.to_owned()
}

/// Reports where two texts differ, with a few lines of context.
fn compare(report: &mut String, what: &str, expected: &[u8], got: &[u8]) -> std::fmt::Result {
    if expected == got {
        return Ok(());
    }
    let expected_text = String::from_utf8_lossy(expected);
    let got_text = String::from_utf8_lossy(got);
    let expected: Vec<&str> = expected_text.split('\n').collect();
    let got: Vec<&str> = got_text.split('\n').collect();
    let first = expected.iter().zip(&got).take_while(|(left, right)| left == right).count();
    writeln!(
        report,
        "{what} differs from line {} on ({} lines expected, {} got)",
        first + 1,
        expected.len().saturating_sub(1),
        got.len().saturating_sub(1)
    )?;
    for line in &expected[first.saturating_sub(3)..first] {
        writeln!(report, "      | {}", shown(line))?;
    }
    for (sign, lines) in [("expected", &expected), ("     got", &got)] {
        for line in lines.iter().skip(first).take(4) {
            writeln!(report, "{sign} | {}", shown(line))?;
        }
        if lines.len() <= first {
            writeln!(report, "{sign} (ends here)")?;
        }
    }
    Ok(())
}

/// Escapes invisible characters.
fn shown(line: &str) -> String {
    line.chars().flat_map(|c| if c.is_control() { c.escape_default().collect::<Vec<_>>() } else { vec![c] }).collect()
}
