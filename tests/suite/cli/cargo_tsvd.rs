//! `cargo tsvd`: cargo's lines, then findings; cargo's selection; the exit status; trust.

use crate::support::{Folder, run};
use serde_json::Value;
use std::{
    io::{BufRead as _, BufReader},
    path::Path,
    process::{Command, Stdio},
};

/// A race; rustc warns about `unused`.
const RACE: &str = "static mut N: u32 = 0;\nfn main() {\n    let unused = 0;\n    let other = std::thread::spawn(|| unsafe { N += 1 });\n    unsafe { N += 1 }\n    other.join().unwrap();\n}\n";
/// The same without a warning, as a test.
const RACY_TEST: &str = "static mut N: u32 = 0;\n#[test]\nfn t() {\n    let other = std::thread::spawn(|| unsafe { N += 1 });\n    unsafe { N += 1 }\n    other.join().unwrap();\n}\n";

fn manifest(name: &str) -> String {
    format!("[package]\nname = '{name}'\nversion = '0.1.0'\nedition = '2021'\n")
}

/// A program, started in a folder with this one's programs first in the search path.
fn command(program: &str, folder: &Folder, args: &[&str]) -> Command {
    let like = folder.command(".", &[]);
    let mut command = Command::new(program);
    command.args(args).current_dir(folder.path()).env_remove("CARGO").env_remove("CARGO_TARGET_DIR");
    command.envs(like.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let own = Path::new(env!("CARGO_BIN_EXE_cargo-tsvd")).parent().unwrap();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(std::iter::once(own.to_owned()).chain(std::env::split_paths(&path))).unwrap();
    command.env("PATH", path);
    command
}

/// `cargo-tsvd`, as cargo starts it.
fn tsvd(folder: &Folder, args: &[&str]) -> (String, String, i32) {
    run(command(env!("CARGO_BIN_EXE_cargo-tsvd"), folder, &[&["tsvd"], args].concat()))
}

/// A script that runs in place of cargo.
#[cfg(unix)]
fn in_place_of_cargo(folder: &Folder, script: &str) -> std::path::PathBuf {
    use std::os::unix::fs::PermissionsExt as _;

    folder.write("other-cargo", format!("#!/bin/sh\n{script}").as_bytes());
    let path = folder.path().join("other-cargo");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// Of each line: its reason, and the code of a message.
fn lines(stdout: &str) -> Vec<(String, String)> {
    let line = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        (text(&line["reason"]), text(&line["message"]["code"]["code"]))
    };
    stdout.lines().map(line).collect()
}

#[test]
fn cargo_runs_it_and_its_lines_come_before_the_findings() {
    let folder = Folder::new(&[("Cargo.toml", &manifest("p")), ("src/main.rs", RACE)]);
    let (stdout, stderr, status) = run(command("cargo", &folder, &["tsvd", "--message-format=json", "--bin", "p"]));
    assert_eq!(status, 1, "{stdout}{stderr}");
    let lines = lines(&stdout);
    let expected = [
        ("compiler-message", "unused_variables"),
        ("compiler-message", ""),
        ("compiler-artifact", ""),
        ("compiler-message", "tsvd::data_race"),
        ("build-finished", ""),
    ];
    let is_summary = |it: &(String, String)| *it == ("compiler-message".to_owned(), String::new());
    let shown: Vec<_> = lines.iter().map(|(reason, code)| (reason.as_str(), code.as_str())).collect();
    // rustc may say how many warnings there were.
    assert!(shown == expected || !lines.iter().any(is_summary) && shown.len() == 4, "{shown:?}");
    assert!(stderr.contains("p: 1 bug. 1 entry (main)"), "{stderr}");

    // Without JSON people read both.
    let (stdout, stderr, status) = tsvd(&folder, &[]);
    assert_eq!(status, 1);
    assert!(stdout.starts_with("error[data-race]: "), "{stdout}");
    assert!(stderr.contains("warning: unused variable: `unused`"), "{stderr}");
    let (stdout, ..) = tsvd(&folder, &["--message-format", "short"]);
    assert!(stdout.starts_with("src/main.rs:4:48: error[data-race]: "), "{stdout}");
    // Options of `check` follow two dashes.
    assert_eq!(tsvd(&folder, &["-q", "--", "--exit-zero"]).2, 0);
    let (stdout, ..) = tsvd(&folder, &["--message-format=json-diagnostic-rendered-ansi"]);
    let finding = stdout.lines().find(|it| it.contains("tsvd::data_race")).unwrap();
    let finding: Value = serde_json::from_str(finding).unwrap();
    assert!(finding["message"]["rendered"].as_str().unwrap().contains("\u{1b}["), "{finding:#}");
}

/// Code that does not compile is interpreted all the same, and the status tells that cargo failed.
#[test]
fn a_failure_of_cargo_is_the_status() {
    let broken = format!("{RACE}fn broken() {{ let _: u32 = \"\"; }}\n");
    let folder = Folder::new(&[("Cargo.toml", &manifest("p")), ("src/main.rs", &broken)]);
    let (stdout, stderr, status) = tsvd(&folder, &["--message-format=json"]);
    assert_eq!(status, 101, "{stderr}");
    let codes: Vec<String> = lines(&stdout).into_iter().map(|(_, code)| code).collect();
    assert!(codes.contains(&"E0308".to_owned()) && codes.contains(&"tsvd::data_race".to_owned()), "{codes:?}");
    assert!(stdout.trim_end().ends_with(r#"{"reason":"build-finished","success":false}"#), "{stdout}");
}

#[test]
fn clippy_can_run_instead_of_check() {
    let program = "fn main() {\n    let n = 3;\n    let _ = n == n;\n}\n";
    let folder = Folder::new(&[("Cargo.toml", &manifest("p")), ("src/main.rs", program)]);
    let (stdout, ..) = tsvd(&folder, &["--pass=clippy", "--message-format=json"]);
    assert!(lines(&stdout).iter().any(|(_, code)| code == "clippy::eq_op"), "{stdout}");
    let (stdout, ..) = tsvd(&folder, &["--pass", "check", "--message-format=json"]);
    assert!(lines(&stdout).iter().all(|(_, code)| !code.contains("clippy")), "{stdout}");
}

/// What is interpreted follows cargo's selection.
#[test]
fn packages_and_targets_are_selected_as_for_cargo_check() {
    let lib = format!("pub fn quiet() {{}}\n{}", RACY_TEST.replace("fn t()", "fn of_lib()"));
    let folder = Folder::new(&[
        ("Cargo.toml", &format!("{}[workspace]\nmembers = ['other']\ndefault-members = ['other']\n", manifest("p"))),
        ("src/main.rs", RACE),
        ("src/bin/quiet.rs", "fn main() {}\n"),
        ("other/Cargo.toml", &manifest("other")),
        ("other/src/lib.rs", &lib),
        ("other/tests/it.rs", RACY_TEST),
        ("other/examples/ex.rs", RACE),
    ]);
    let root = folder.path().canonicalize().unwrap().display().to_string();
    let spec = format!("path+file://{root}/other#0.1.0");
    // The summaries of packages and programs, and where something was found.
    let selected = |args: &[&str]| {
        let (stdout, stderr, status) = tsvd(&folder, &[&["-q", "--message-format=short"], args].concat());
        let mut files: Vec<String> =
            stdout.lines().filter_map(|it| it.split_once(':')).map(|(file, _)| file.to_owned()).collect();
        files.sort();
        let summaries = stderr.lines().filter(|it| it.contains(" schedule")).map(|it| it.split(':').next().unwrap());
        assert!(status < 2, "{args:?}: {stderr}");
        (files.join(" "), summaries.collect::<Vec<_>>().join(" "))
    };
    let is = |files: &str, summaries: &str| (files.to_owned(), summaries.to_owned());
    assert_eq!(selected(&[]), is("", "other"));
    assert_eq!(selected(&["-p", "p", "--bin", "p"]), is("src/main.rs", "p"));
    assert_eq!(selected(&["-p", "p", "--bin", "quiet"]).0, "");
    assert_eq!(selected(&["--workspace", "--exclude", "other"]), is("src/main.rs", "p"));
    assert_eq!(selected(&["-p", &spec, "--lib"]), is("", "other"));
    assert_eq!(selected(&["-p", &spec, "--test", "it"]).0, "other/tests/it.rs");
    assert_eq!(selected(&["-p", "other@0.1.0", "--tests"]).0, "other/src/lib.rs other/tests/it.rs");
    assert_eq!(selected(&["--manifest-path", "other/Cargo.toml", "--example", "ex"]).0, "other/examples/ex.rs");
    let all = "other/examples/ex.rs other/src/lib.rs other/tests/it.rs src/main.rs";
    assert_eq!(selected(&["--workspace", "--all-targets"]).0, all);

    // Patterns of names, as cargo has them.
    assert_eq!(selected(&["-p", "oth*", "--tests"]).0, "other/src/lib.rs other/tests/it.rs");
    assert_eq!(selected(&["-p", "[p-q]", "-p", "ot?er"]), is("src/main.rs", "p other"));
    assert_eq!(selected(&["--workspace", "--exclude", "o*r"]), is("src/main.rs", "p"));
    let (stdout, stderr, status) = tsvd(&folder, &["-p", "x*"]);
    assert_eq!((stdout.as_str(), status), ("", 101), "{stderr}");
    assert!(stderr.contains("package pattern(s) `x*` not found in workspace"), "{stderr}");
    let (_, stderr, status) = tsvd(&folder, &["--", "other"]);
    assert!(status == 2 && stderr.contains("a path after `--` is not allowed"), "{stderr}");
    let (_, stderr, status) = tsvd(&folder, &["--binn", "p"]);
    assert!(status == 2 && stderr.contains("a similar argument exists: '--bin'"), "{stderr}");

    // A finding of a member replays by its id alone.
    let (stdout, ..) = tsvd(&folder, &["-q", "-p", &spec, "--tests", "--", "--format=json"]);
    let report: Value = serde_json::from_str(&stdout).unwrap();
    let id = report["parts"][0]["packages"][0]["findings"][0]["replay"].as_str().unwrap().to_owned();
    let (stdout, stderr, status) = folder.output(&["replay", &id]);
    assert_eq!(status, 1, "{stdout}{stderr}");
}

/// `cargo tsvd` builds, as `cargo check` does. That does not allow the workspace.
#[test]
fn a_workspace_that_is_not_allowed_stays_so() {
    let folder = Folder::new(&[
        ("Cargo.toml", &manifest("p")),
        (
            "build.rs",
            // What rests on the machine is known only from a build.
            "fn main() { let _ = std::path::Path::new(\"/proc\").exists(); println!(\"cargo::rustc-cfg=racy\"); println!(\"cargo::rustc-check-cfg=cfg(racy)\"); }",
        ),
        ("src/main.rs", &RACE.replace("    let unused = 0;\n", "    if !cfg!(racy) { return }\n")),
    ]);
    let (stdout, stderr, status) = tsvd(&folder, &[]);
    assert_eq!((stdout.as_str(), status), ("", 0), "{stderr}");
    assert!(
        stderr.contains("build output not used, because this workspace is not trusted: build script of `p`; run `tsvd-check trust .` to use it"),
        "{stderr}"
    );
    folder.allow(".");
    let (stdout, stderr, status) = tsvd(&folder, &[]);
    assert!(stdout.starts_with("error[data-race]: ") && status == 1, "{stdout}{stderr}");
}

/// rustc knows the platforms' cfgs without their std, which `cargo check` would need: a program stands for cargo.
#[cfg(unix)]
#[test]
fn several_platforms_are_checked_in_turn() {
    let program = "#[cfg(windows)]\nfn main() {}\n#[cfg(not(windows))]\n".to_owned() + RACE.split_once('\n').unwrap().1;
    let program = format!("#[cfg(not(windows))]\nstatic mut N: u32 = 0;\n{program}");
    let folder = Folder::new(&[("Cargo.toml", &manifest("p")), ("src/main.rs", &program)]);
    let cargo = in_place_of_cargo(&folder, "[ \"$1\" = check ] || exec cargo \"$@\"\n");
    let (windows, linux) = ("x86_64-pc-windows-gnu", "x86_64-unknown-linux-musl");
    let check = |targets: &[&str]| {
        let options: Vec<&str> = targets.iter().flat_map(|it| ["--target", it]).collect();
        let options = [&["tsvd", "--message-format=short"], options.as_slice()].concat();
        let mut command = command(env!("CARGO_BIN_EXE_cargo-tsvd"), &folder, &options);
        command.env("CARGO", &cargo);
        run(command)
    };
    let (stdout, stderr, status) = check(&[windows, linux, windows]);
    assert_eq!((stdout.lines().count(), status), (1, 1), "{stdout}{stderr}");
    let shown: Vec<&str> =
        stderr.lines().filter(|it| it.starts_with("platform `") || it.contains(" schedule")).collect();
    assert_eq!(shown.len(), 4, "{stderr}");
    assert_eq!((shown[0], shown[2]), ("platform `x86_64-pc-windows-gnu`:", "platform `x86_64-unknown-linux-musl`:"));
    assert!(shown[1].starts_with("p: no bug found") && shown[3].starts_with("p: 1 bug"), "{stderr}");
    let (stdout, stderr, status) = check(&[windows]);
    assert_eq!((stdout.as_str(), status), ("", 0), "{stderr}");
    assert!(!stderr.contains("platform `x86"), "{stderr}");
}

/// What a build script has made is taken from where cargo was told to build.
#[test]
fn output_of_the_build_is_that_of_target_folder_and_profile() {
    let script = "fn main() { let _ = std::path::Path::new(\"/proc\").exists(); println!(\"cargo::rustc-cfg=racy\"); println!(\"cargo::rustc-check-cfg=cfg(racy)\"); }";
    let program = RACE.replace("    let unused = 0;\n", "    if !cfg!(racy) { return }\n");
    let manifest = manifest("p") + "[profile.quick]\ninherits = 'dev'\n";
    let folder = Folder::new(&[("Cargo.toml", &manifest), ("build.rs", script), ("src/main.rs", &program)]);
    folder.allow(".");
    for options in [&["--target-dir", "elsewhere"][..], &["--target-dir=two", "--release"], &["--profile", "quick"]] {
        let (stdout, stderr, status) = tsvd(&folder, options);
        assert!(stdout.starts_with("error[data-race]: ") && status == 1, "{options:?}: {stdout}{stderr}");
    }
    assert!(folder.path().join("target/quick").exists() && !folder.path().join("target/debug").exists());
}

/// A program in cargo's place prints a line, and ends only when that line has come out here.
#[cfg(unix)]
#[test]
fn lines_are_passed_on_while_cargo_runs() {
    let folder = Folder::new(&[("Cargo.toml", &manifest("p")), ("src/main.rs", RACE)]);
    let script = r#"[ "$1" = clippy ] || exec cargo "$@"
echo "{\"reason\":\"$*\"}"
while [ ! -e seen ]; do sleep 0.02; done
echo '{"reason":"build-finished","success":true}'
echo '{"reason":"late"}'
"#;
    let slow = in_place_of_cargo(&folder, script);
    let args = ["tsvd", "--message-format=json", "--keep-going", "--pass", "clippy", "--", "--runs=1"];
    let mut command = command(env!("CARGO_BIN_EXE_cargo-tsvd"), &folder, &args);
    let mut child = command.env("CARGO", slow).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert_eq!(lines.next().unwrap(), r#"{"reason":"clippy --message-format=json --keep-going"}"#);
    folder.write("seen", b"");
    let rest: Vec<String> = lines.collect();
    assert_eq!(rest[0], r#"{"reason":"late"}"#);
    assert!(rest[1].contains("tsvd::data_race"), "{rest:?}");
    assert_eq!(rest[2..], [r#"{"reason":"build-finished","success":true}"#]);
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

/// The small program says what is missing if it was installed alone.
#[test]
fn it_needs_the_program_beside_it() {
    let folder = Folder::new(&[]);
    let copy = folder.path().join("cargo-tsvd");
    std::fs::copy(env!("CARGO_BIN_EXE_cargo-tsvd"), &copy).unwrap();
    let (_, stderr, status) = run(command(copy.to_str().unwrap(), &folder, &[]));
    assert_eq!(status, 2);
    assert!(stderr.contains("tsvd-check") && stderr.contains("it is not there; install both with"), "{stderr}");
}
