//! Several paths in one command, and platforms other than the machine's.

use crate::support::Folder;

/// A race between two threads on a static of this name.
fn racy(name: &str) -> String {
    format!(
        "static mut {name}: u32 = 0;\nfn main() {{\n    let t = std::thread::spawn(|| unsafe {{ {name} += 1 }});\n    unsafe {{ {name} += 1 }}\n    t.join().unwrap();\n}}\n"
    )
}

fn manifest(name: &str) -> String {
    format!("[package]\nname = \"{name}\"\nedition = \"2024\"\n")
}

#[test]
fn several_paths() {
    let folder = Folder::new(&[
        ("one/Cargo.toml", &manifest("one")),
        ("one/src/main.rs", &racy("ONE")),
        ("two/Cargo.toml", &manifest("two")),
        ("two/src/main.rs", "fn main() {}\n#[test]\nfn sums() {}\n"),
        ("alone.rs", &racy("ALONE")),
        ("broken/Cargo.toml", "[package"),
    ]);
    let all = ["check", "one", "two", "alone.rs", "--format", "short"];
    let (stdout, stderr, status) = folder.output(&all);
    let starts: Vec<&str> = stdout.lines().filter_map(|it| it.split(": error").next()).collect();
    assert_eq!((starts, status), (vec!["one/src/main.rs:3:44", "alone.rs:3:44"], 1), "{stdout}{stderr}");
    let heads: Vec<&str> =
        stderr.lines().filter(|it| !it.starts_with(' ')).filter_map(|it| it.split('.').next()).collect();
    assert_eq!(heads, ["one: 1 bug", "two: no bug found", "alone: 1 bug"], "{stderr}");
    // Again, from cached reports, and anew.
    assert_eq!(folder.output(&all), (stdout.clone(), stderr.clone(), 1));
    assert_eq!(folder.output(&[&all[..], &["--no-cache"]].concat()), (stdout, stderr, 1));
    // The worst status counts, and all paths are checked; the same path once.
    let (stdout, stderr, status) = folder.output(&["check", "broken", "one", "./one", "--format", "short"]);
    assert_eq!((stdout.lines().count(), status), (1, 2), "{stdout}");
    assert!(
        stderr.starts_with("error: cargo cannot read broken/Cargo.toml") && stderr.contains("\none: 1 bug"),
        "{stderr}"
    );
    let (_, _, status) = folder.output(&["two", "one"]);
    assert_eq!(status, 1);
    // A selected name may exist at one of them only.
    let (_, stderr, status) = folder.output(&["check", "one", "two", "--test", "sums"]);
    assert_eq!(status, 0, "{stderr}");
    assert!(stderr.starts_with("note: one: there is no test with `sums` in its name\ntwo::sums: no bug"), "{stderr}");
    let (_, stderr, status) = folder.output(&["check", "one", "two", "--test", "other"]);
    assert!(stderr.ends_with("error: nothing that was selected is at any of these paths\n") && status == 2, "{stderr}");
}

/// Dependencies and modules that depend on the platform.
fn by_platform() -> Folder {
    let name = |name: &str| format!("pub fn name() -> &'static str {{\n    \"{name}\"\n}}\n");
    Folder::new(&[
        (
            "Cargo.toml",
            "[package]\nname = \"a\"\nedition = \"2024\"\n[target.'cfg(windows)'.dependencies]\nwin = { path = \"win\" }\n[target.'cfg(unix)'.dependencies]\nnix = { path = \"nix\" }\n[target.aarch64-apple-darwin.dependencies]\nabsent = \"9.9\"\n",
        ),
        (
            "src/main.rs",
            "#[cfg(windows)]\nmod windows;\n#[cfg(windows)]\nuse win::name;\n#[cfg(unix)]\nuse nix::name;\nfn main() {\n    println!(\"{} {} {}\", name(), cfg!(target_os = \"macos\"), size_of::<usize>());\n}\n",
        ),
        (
            "src/windows.rs",
            "static mut COUNT: u32 = 0;\n#[test]\nfn counts() {\n    let t = std::thread::spawn(|| unsafe { COUNT += 1 });\n    unsafe { COUNT += 1 }\n    t.join().unwrap();\n}\n#[test]\nfn foreign() {\n    use std::os::windows::io::AsRawHandle as _;\n    assert!(std::io::stdin().as_raw_handle() as usize > 0);\n}\n#[test]\nfn named() {\n    assert_eq!(std::env::consts::OS, \"linux\");\n}\n#[test]\nfn parts() {\n    assert_eq!(std::path::Path::new(\"a\\\\b\").components().count(), 1);\n}\n",
        ),
        ("win/Cargo.toml", &manifest("win")),
        ("win/src/lib.rs", &name("windows")),
        ("nix/Cargo.toml", &manifest("nix")),
        ("nix/src/lib.rs", &name("unix")),
    ])
}

const WINDOWS: &str = "x86_64-pc-windows-msvc";

#[test]
fn platforms() {
    let folder = by_platform();
    let says = |triple: &str| {
        format!(
            "checked for `{triple}`, but with the standard library of `x86_64-unknown-linux-gnu`: what that library lacks is uninterpreted\n"
        )
    };
    // A dependency for another platform is not missing.
    assert_eq!(folder.output(&["run"]), ("unix false 8\n".to_owned(), String::new(), 0));
    assert_eq!(
        folder.output(&["run", "--target", "x86_64-unknown-linux-gnu"]),
        ("unix false 8\n".to_owned(), String::new(), 0)
    );
    assert_eq!(folder.output(&["run", "--target", WINDOWS]), ("windows false 8\n".to_owned(), says(WINDOWS), 0));
    assert_eq!(
        folder.output(&["run", "--untrusted", "--target", WINDOWS]),
        ("windows false 8\n".to_owned(), says(WINDOWS), 0)
    );
    let (stdout, stderr, _) = folder.output(&["run", "--target", "aarch64-apple-darwin"]);
    assert_eq!(stdout, "unix true 8\n");
    assert!(
        stderr.starts_with(&says("aarch64-apple-darwin"))
            && stderr.contains("missing dependencies, not downloaded: `absent`"),
        "{stderr}"
    );
    // Findings in code for that platform only have their own id and cached report.
    let (stdout, _, status) = folder.output(&["check", "--format", "short"]);
    assert_eq!((stdout.as_str(), status), ("", 0));
    let (stdout, stderr, status) = folder.output(&["check", "--target", WINDOWS]);
    assert!(
        stdout.starts_with("error[data-race]") && stdout.contains("src/windows.rs:4:44") && status == 1,
        "{stdout}"
    );
    assert!(stderr.contains(&says(WINDOWS)), "{stderr}");
    let id = stdout.split("replay ").nth(1).and_then(|it| it.split(' ').next()).expect("an id");
    let (replayed, _, status) = folder.output(&["replay", id]);
    assert!(replayed.starts_with("error[data-race]") && status == 1, "{replayed}");
    assert_eq!(folder.output(&["check", "--format", "short"]).2, 0);
    // Parts of std that differ on that platform are unknown.
    let (_, stderr, status) = folder.output(&["test", "--list", "--target", WINDOWS]);
    let unknown = |test: &str| stderr.lines().any(|it| it.starts_with(&format!("a::windows::{test}: unknown: ")));
    assert!(unknown("foreign") && unknown("named") && unknown("parts") && status == 0, "{stderr}");
}

#[test]
fn platforms_that_are_refused() {
    let folder = Folder::new(&[("a.rs", "fn main() {}\n")]);
    let bits = "the interpreter supports only 64-bit little-endian platforms";
    for (triple, why) in [
        ("i686-unknown-linux-gnu", bits),
        ("s390x-unknown-linux-gnu", bits),
        ("x86_64-unknown-none", "panics do not unwind there; the interpreter supports only unwinding"),
        (
            "x86_64-pc-window",
            "rustc says: error loading target specification: could not find specification for target \"x86_64-pc-window\"; `rustc --print target-list` names those it knows",
        ),
        ("my/own.json", "only platforms that rustc knows by name (`rustc --print target-list`) can be chosen"),
    ] {
        for command in ["check", "run", "test"] {
            let (stdout, stderr, status) = folder.output(&[command, "a.rs", "--target", triple]);
            let expected = format!("error: cannot analyse for `{triple}`: {why}\n");
            assert_eq!((stdout.as_str(), stderr, status), ("", expected, 2));
        }
    }
}

/// As `cargo test` does: targets with their own test `main`, targets without tests, targets whose features are off.
#[test]
fn targets_of_a_package() {
    let folder = Folder::new(&[
        (
            "Cargo.toml",
            "[package]\nname = \"a\"\nedition = \"2024\"\n[features]\nextra = []\n[[test]]\nname = \"own\"\nharness = false\n[[example]]\nname = \"shown\"\nrequired-features = [\"extra\"]\n[[bin]]\nname = \"a\"\ntest = false\n[[bench]]\nname = \"speed\"\nharness = false\n",
        ),
        ("src/main.rs", "fn main() {}\n#[test]\nfn no() {\n    panic!()\n}\n"),
        ("src/lib.rs", "pub fn six() -> u32 {\n    6\n}\n#[test]\nfn is_six() {\n    assert_eq!(six(), 6);\n}\n"),
        ("tests/own.rs", "fn main() {\n    assert!(cfg!(test));\n}\n#[test]\nfn no() {\n    panic!()\n}\n"),
        ("tests/usual.rs", "#[test]\nfn yes() {\n    assert_eq!(a::six(), 6);\n}\n"),
        ("examples/shown.rs", "fn main() {\n    println!(\"{}\", cfg!(feature = \"extra\"));\n}\n"),
        ("examples/plain.rs", "fn main() {}\n#[test]\nfn no() {\n    panic!()\n}\n"),
        ("benches/speed.rs", "fn main() {\n    panic!()\n}\n"),
    ]);
    let (_, stderr, status) = folder.output(&["test", "--list"]);
    let mut lines: Vec<&str> = stderr.lines().filter(|it| it.contains("::")).collect();
    lines.sort_unstable();
    assert_eq!((lines, status), (vec!["a::is_six: passed", "own::main: passed", "usual::yes: passed"], 0), "{stderr}");
    let (_, stderr, _) = folder.output(&["check"]);
    assert!(
        stderr.starts_with("a: no bug found. 6 entries (2 programs, 3 tests, 1 API item), 6 schedules"),
        "{stderr}"
    );
    let (_, stderr, status) = folder.output(&["run", "--bin", "shown"]);
    assert_eq!((stderr.as_str(), status), ("error: `shown` needs features that are off: `--features extra`\n", 2));
    assert_eq!(folder.output(&["run", "--bin", "shown", "-F", "extra"]).0, "true\n");
}
