//! `--require-reach` and `--time`; progress.

use crate::support::Folder;

/// Two locks, of which one is never taken.
const HALF: &str = "use std::sync::Mutex;\nstatic M: Mutex<u32> = Mutex::new(0);\nfn main() {\n    *M.lock().unwrap() += 1;\n    if std::hint::black_box(false) {\n        *M.lock().unwrap() += 1;\n    }\n}\n";

#[test]
fn too_little_reach_is_a_failure_if_asked_for() {
    let folder = Folder::new(&[("half.rs", HALF), ("race.rs", "fn main() {}\n")]);
    let checked = |args: &[&str]| {
        let (stdout, stderr, status) = folder.output(&[&["check"], args].concat());
        assert_eq!(stdout, "");
        (stderr, status)
    };
    assert_eq!(checked(&["half.rs"]).1, 0);
    assert_eq!(checked(&["half.rs", "--require-reach", "50"]).1, 0);
    let (stderr, status) = checked(&["half.rs", "--require-reach", "51"]);
    assert_eq!(status, 1);
    let told = "error: reached 1 of 2 synchronisation sites (50 %), and `--require-reach` asks for 51 %\n";
    assert!(stderr.ends_with(told), "{stderr}");
    // A result that was kept is judged too, and `--exit-zero` is about findings.
    assert_eq!(checked(&["half.rs", "--require-reach=51", "--exit-zero"]), (stderr, 1));
    // All paths together; a program without sites misses none.
    assert_eq!(checked(&["half.rs", "race.rs", "--require-reach", "50"]).1, 0);
    assert_eq!(checked(&["race.rs", "--require-reach", "100"]).1, 0);
    let (stderr, status) = checked(&["race.rs", "--require-reach", "101"]);
    assert!(status == 2 && stderr.contains("101 is not in 0..=100"), "{stderr}");
}

/// More tests than can be explored in a second, each with a race.
#[test]
fn no_schedule_starts_after_the_time() {
    let mut source = "static mut N: [u64; 400] = [0; 400];\nfn add(at: usize) {\n    for _ in 0..300 { unsafe { N[at] = N[at].wrapping_add(1) } }\n}\n".to_owned();
    for at in 0..400 {
        source.push_str(&format!(
            "#[test]\nfn t{at}() {{\n    let other = std::thread::spawn(|| add({at}));\n    add({at});\n    other.join().unwrap();\n}}\n"
        ));
    }
    let folder = Folder::new(&[("many.rs", &source)]);
    let (stdout, stderr, status) = folder.output(&["check", "many.rs", "--format", "json", "--time", "1"]);
    let report: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    let part = &report["parts"][0];
    let summary = &part["packages"][0]["summary"];
    assert!(summary["out_of_time"].as_u64().unwrap() > 0, "{summary:#}");
    assert_eq!(part["is_repeatable"], false);
    assert!(stderr.contains("time limit reached (`--time`): fewer schedules, or none, for "), "{stderr}");
    assert!(stderr.contains("so the run as a whole is not reproducible; each finding still replays"), "{stderr}");
    let kept = std::fs::read_dir(folder.path().join(".cache/tsvd-check/results"));
    assert_eq!(kept.map_or(0, Iterator::count), 0, "it must not be kept");
    // What was found replays.
    let found = part["packages"][0]["findings"].as_array().unwrap();
    assert_eq!(status, i32::from(!found.is_empty()));
    if let Some(finding) = found.first() {
        let (_, stderr, status) = folder.output(&["replay", finding["replay"].as_str().unwrap()]);
        assert_eq!(status, 1, "{stderr}");
    }
}

/// A limit that is not reached changes nothing: the result is complete, and it is kept.
#[test]
fn a_time_that_suffices_leaves_no_trace() {
    let folder = Folder::new(&[("half.rs", HALF)]);
    let with = folder.output(&["check", "half.rs", "--time", "100000"]);
    assert_eq!(std::fs::read_dir(folder.path().join(".cache/tsvd-check/results")).unwrap().count(), 1);
    assert_eq!(folder.output(&["check", "half.rs", "--no-cache"]), with);
    let (_, stderr, status) = folder.output(&["check", "half.rs", "--time", "0"]);
    assert!(status == 2 && stderr.contains("0 is not in 1.."), "{stderr}");
}

/// Progress is for a person at a terminal.
#[cfg(target_os = "linux")]
#[test]
fn progress_is_shown_on_a_terminal_only() {
    let folder = Folder::new(&[("half.rs", HALF)]);
    let on_terminal = |format: &str, ci: Option<&str>| {
        // `script` runs a program on a terminal of its own.
        let mut command = std::process::Command::new("script");
        let line = format!("{} check half.rs --no-cache --format {format}", env!("CARGO_BIN_EXE_tsvd-check"));
        command.args(["-qec", &line, "/dev/null"]).current_dir(folder.path()).env_remove("CI").env("TERM", "xterm");
        command.envs(ci.map(|value| ("CI", value)));
        let (stdout, ..) = crate::support::run(command);
        assert!(stdout.contains("half: no bug found"), "{stdout}");
        stdout.contains(" schedules, about ")
    };
    assert!(on_terminal("full", None));
    assert!(!on_terminal("full", Some("true")));
    assert!(!on_terminal("github", None));
    let (_, stderr, _) = folder.output(&["check", "half.rs", "--no-cache"]);
    assert!(!stderr.contains("about"), "{stderr}");
}
