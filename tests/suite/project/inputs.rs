//! Invalid input: each case gets a message that says what to do, never a panic or silence.

use crate::support::Folder;
use expect_test::expect;

pub(super) const HELLO: &str = "fn main() { println!(\"hello\"); }\n";

pub(super) fn manifest(name: &str, rest: &str) -> String {
    format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n{rest}")
}

#[test]
fn paths() {
    let folder = Folder::new(&[("a.rs", HELLO), ("folder.rs/readme.txt", ""), ("notes.txt", ""), ("big.rs", "")]);
    for path in ["none.rs", "-", "", "a.rs/b.rs", "folder.rs", "notes.txt"] {
        let (stdout, stderr, status) = folder.output(&["check", path]);
        assert_eq!((stdout.as_str(), status), ("", 2), "{path}: {stderr}");
    }
    folder.expect(
        &["check", "-"],
        &expect![[r#"
        stdout:
        stderr:
        error: no such file or folder: -
        status: 2
    "#]],
    );
    folder.expect(
        &["check", ""],
        &expect![[r#"
        stdout:
        stderr:
        error: a value is required for '[PATH]...' but none was supplied

        For more information, try '--help'.
        status: 2
    "#]],
    );
    folder.expect(
        &["check", "a.rs/b.rs"],
        &expect![[r#"
        stdout:
        stderr:
        error: no such file or folder: a.rs/b.rs
        status: 2
    "#]],
    );
    folder.expect(
        &["check", "folder.rs"],
        &expect![[r#"
        stdout:
        stderr:
        error: no Cargo.toml or rust-project.json in folder.rs: give a package's folder, its Cargo.toml, a rust-project.json, or a single .rs file
        status: 2
    "#]],
    );
    folder.expect(
        &["check", "notes.txt"],
        &expect![[r#"
        stdout:
        stderr:
        error: no Cargo.toml or rust-project.json in notes.txt: give a package's folder, its Cargo.toml, a rust-project.json, or a single .rs file
        status: 2
    "#]],
    );
    folder.expect(
        &["chekc"],
        &expect![[r#"
        stdout:
        stderr:
        error: no such file or folder: chekc
        status: 2
    "#]],
    );
}

#[test]
fn texts_as_editors_leave_them() {
    let folder = Folder::new(&[
        ("bom.rs", "\u{feff}fn main() { panic!(\"here\") }\n"),
        ("crlf.rs", "fn main() {\r\n    print!(\"a\r\nb\r\n\");\r\n    panic!(\"here\")\r\n}\r\n"),
        ("script.rs", "#!/usr/bin/env run-cargo-script\nfn main() { println!(\"hello\"); }\n"),
        ("end.rs", "fn main() { println!(\"no line end\"); }"),
        ("includes.rs", "fn main() { print!(\"{:?}\", include_str!(\"table.txt\")); }\n"),
        ("table.txt", "\u{feff}a\r\nb\r\n"),
    ]);
    folder.expect(
        &["run", "bom.rs"],
        &expect![[r#"
        stdout:
        stderr:

        thread 'main' (1) panicked at bom.rs:1:13:
        here
        note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
        status: 101
    "#]],
    );
    folder.expect(
        &["run", "crlf.rs"],
        &expect![[r#"
        stdout:
        a
        b
        stderr:

        thread 'main' (1) panicked at crlf.rs:5:5:
        here
        note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
        status: 101
    "#]],
    );
    let (stdout, stderr, status) = folder.output(&["run", "script.rs"]);
    assert_eq!((stdout.as_str(), status), ("hello\n", 0), "{stderr}");
    let (stdout, stderr, status) = folder.output(&["run", "end.rs"]);
    assert_eq!((stdout.as_str(), status), ("no line end\n", 0), "{stderr}");
    // A text that is no source stays as it is.
    let (stdout, stderr, status) = folder.output(&["run", "includes.rs"]);
    assert_eq!((stdout.as_str(), status), (r#""\u{feff}a\r\nb\r\n""#, 0), "{stderr}");
}

#[test]
fn mains_that_start_no_program() {
    let folder = Folder::new(&[
        ("takes.rs", "fn main(n: u32) {}\n"),
        ("generic.rs", "fn main<T>() {}\n"),
        ("waits.rs", "async fn main() {}\n"),
        ("number.rs", "fn main() -> u32 { 3 }\n"),
        ("none.rs", "#![no_main]\nfn main() {}\n"),
        ("constant.rs", "const main: u32 = 3;\n"),
        ("only_lib.rs", "pub fn helper() {}\n"),
        ("comments.rs", "// nothing yet\n"),
    ]);
    folder.expect(
        &["check", "takes.rs"],
        &expect![[r#"
            stdout:
            stderr:
            takes: not analysed: its `main` has parameters
            nothing was analysed: found no `main`, no test and no public function
            status: 0
        "#]],
    );
    let (stdout, stderr, status) = folder.output(&["check", "generic.rs"]);
    assert!(
        status == 0 && stdout.is_empty() && stderr.contains("generic: not analysed: its `main` is generic"),
        "{stderr}"
    );
    let (stdout, stderr, status) = folder.output(&["check", "waits.rs"]);
    assert!(
        status == 0 && stdout.is_empty() && stderr.contains("waits: not analysed: its `main` is `async`"),
        "{stderr}"
    );
    folder.expect(
        &["check", "number.rs"],
        &expect![[r#"
            stdout:
            stderr:
            number: no bug found. 1 entry (main), 1 schedule
                    no locks, atomics, channels or awaits here
                    uninterpreted: unresolved call of `report` on `u32` (library/std/src/rt.rs:206:76)
            status: 0
        "#]],
    );
    folder.expect(
        &["run", "number.rs"],
        &expect![[r#"
        stdout:
        stderr:
        uninterpreted: 1 (first: library/std/src/rt.rs:206:76 unresolved call of `report` on `u32`)
        status: 0
    "#]],
    );
    let (stdout, stderr, status) = folder.output(&["run", "none.rs"]);
    assert!(status == 2 && stdout.is_empty() && stderr.contains("none: not analysed: it is `#![no_main]`"), "{stderr}");
    let (stdout, stderr, status) = folder.output(&["check", "constant.rs"]);
    assert!(
        status == 0 && stdout.is_empty() && stderr.contains("constant: not analysed: it has no `main`"),
        "{stderr}"
    );
    let (stdout, stderr, status) = folder.output(&["check", "comments.rs"]);
    assert!(
        status == 0 && stdout.is_empty() && stderr.contains("comments: not analysed: it has no `main`"),
        "{stderr}"
    );
}

#[test]
fn crate_attributes() {
    let folder = Folder::new(&[
        ("nightly.rs", "#![feature(never_type)]\nfn main() { println!(\"hello\"); }\n"),
        ("no_std.rs", "#![no_std]\nextern crate std;\nfn main() { std::println!(\"hello\"); }\n"),
        ("bare.rs", "#![no_std]\n#![no_main]\n#[unsafe(no_mangle)]\npub extern \"C\" fn main() -> i32 { 0 }\n"),
    ]);
    folder.expect(
        &["run", "nightly.rs"],
        &expect![[r#"
        stdout:
        hello
        stderr:
        status: 0
    "#]],
    );
    let (stdout, stderr, status) = folder.output(&["run", "no_std.rs"]);
    assert_eq!((stdout.as_str(), status), ("hello\n", 0), "{stderr}");
    let (stdout, stderr, status) = folder.output(&["check", "bare.rs"]);
    assert!(status == 0 && stdout.is_empty() && stderr.contains("bare: not analysed: it is `#![no_main]`"), "{stderr}");
}

#[test]
fn modules() {
    let folder = Folder::new(&[
        ("absent.rs", "mod gone;\nmod here { pub mod deep; }\nfn main() { here::deep::hello(); gone::go(); }\n"),
        ("here/deep.rs", "pub fn hello() { println!(\"deep\"); }\n"),
        ("named.rs", "#[path = \"other/place.rs\"]\nmod named;\nfn main() { named::inner::hello(); }\n"),
        ("other/place.rs", "pub mod inner;\n"),
        ("other/inner.rs", "pub fn hello() { println!(\"named\"); }\n"),
        ("round.rs", "#[path = \"round.rs\"]\nmod round;\nfn main() { println!(\"round\"); }\n"),
    ]);
    let (stdout, stderr, status) = folder.output(&["run", "absent.rs"]);
    assert!(stdout == "deep\n" && stderr.contains("module `gone` is skipped") && status == 0, "{stderr}");
    let (stdout, stderr, status) = folder.output(&["run", "named.rs"]);
    assert_eq!((stdout.as_str(), status), ("named\n", 0), "{stderr}");
    let (stdout, stderr, status) = folder.output(&["run", "round.rs"]);
    assert_eq!((stdout.as_str(), status), ("round\n", 0), "{stderr}");
}

#[test]
fn manifests() {
    let folder = Folder::new(&[
        ("broken/Cargo.toml", "[package]\nname = \"a\"\nversion = 1\n"),
        ("empty/Cargo.toml", manifest("empty", "").as_str()),
        ("library/Cargo.toml", manifest("library", "").as_str()),
        ("library/src/lib.rs", "pub fn helper() {}\n"),
        ("app/Cargo.toml", manifest("app", "").as_str()),
        ("app/src/main.rs", "mod gone;\nfn main() { println!(\"hello\"); }\n"),
        ("app/src/bin/second.rs", HELLO),
        ("app/examples/shown.rs", HELLO),
    ]);
    folder.expect(
        &["check", "broken"],
        &expect![[r#"
        stdout:
        stderr:
        error: cargo cannot read broken/Cargo.toml: invalid type: integer `1`, expected SemVer version
         --> broken/Cargo.toml:3:11
          |
        3 | version = 1
          |           ^
        status: 2
    "#]],
    );
    folder.expect(
        &["check", "empty"],
        &expect![[r#"
        stdout:
        stderr:
        error: cargo cannot read empty/Cargo.toml: failed to parse manifest at `DIR/empty/Cargo.toml`

        Caused by:
          no targets specified in the manifest
          either src/lib.rs, src/main.rs, a [lib] section, or [[bin]] section must be present
        status: 2
    "#]],
    );
    folder.expect(
        &["check", "library"],
        &expect![[r#"
            stdout:
            stderr:
            library: no bug found. 1 entry (API item), 1 schedule
                     no locks, atomics, channels or awaits here; nothing left out
            status: 0
        "#]],
    );
    folder.expect(
        &["run", "library"],
        &expect![[r#"
        stdout:
        stderr:
        error: nothing to run: there is no program with a `main` here
        status: 2
    "#]],
    );
    folder.expect(
        &["check", "app"],
        &expect![[r#"
            stdout:
            stderr:
            app/src/main.rs:1:1: module `gone` is skipped: there is no file `gone.rs` or `gone/mod.rs`
            app: no bug found. 3 entries (programs), 3 schedules
                 no locks, atomics, channels or awaits here
            status: 0
        "#]],
    );
    folder.expect(
        &["run", "app"],
        &expect![[r#"
        stdout:
        stderr:
        app/src/main.rs:1:1: module `gone` is skipped: there is no file `gone.rs` or `gone/mod.rs`
        error: several programs here: choose one with `--bin` (app, second, shown)
        status: 2
    "#]],
    );
    folder.expect(
        &["run", "app", "--bin", "shown"],
        &expect![[r#"
        stdout:
        hello
        stderr:
        app/src/main.rs:1:1: module `gone` is skipped: there is no file `gone.rs` or `gone/mod.rs`
        status: 0
    "#]],
    );
    // The enclosing package, as cargo finds it.
    folder.expect(
        &["check", "app/src", "--bin", "app"],
        &expect![[r#"
            stdout:
            stderr:
            app/src/main.rs:1:1: module `gone` is skipped: there is no file `gone.rs` or `gone/mod.rs`
            app: no bug found. 1 entry (main), 1 schedule
                 no locks, atomics, channels or awaits here
            status: 0
        "#]],
    );
}

#[test]
fn workspaces() {
    let folder = Folder::new(&[
        ("Cargo.toml", "[workspace]\nmembers = [\"one\", \"two\"]\nresolver = \"2\"\n"),
        ("one/Cargo.toml", manifest("one", "").as_str()),
        ("one/src/bin/tool.rs", HELLO),
        ("two/Cargo.toml", manifest("two", "").as_str()),
        ("two/src/bin/tool.rs", HELLO),
        ("two/src/lib.rs", ""),
    ]);
    let (stdout, stderr, status) = folder.output(&["check", "."]);
    assert!(status == 0 && stdout.is_empty() && stderr.matches("tool: no bug found").count() == 2, "{stderr}");
    folder.expect(
        &["run", "."],
        &expect![[r#"
        stdout:
        stderr:
        error: several programs here: choose one with `--package` (one, two)
        status: 2
    "#]],
    );
    folder.expect(
        &["run", ".", "--bin", "tool"],
        &expect![[r#"
        stdout:
        stderr:
        error: several programs `tool`: choose one with `--package` (one, two)
        status: 2
    "#]],
    );
    folder.expect(
        &["run", ".", "-p", "two"],
        &expect![[r#"
        stdout:
        hello
        stderr:
        status: 0
    "#]],
    );
    folder.expect(
        &["run", ".", "-p", "three"],
        &expect![[r#"
        stdout:
        stderr:
        error: there is no package `three` with a program; available: one, two
        status: 2
    "#]],
    );
    folder.expect(
        &["run", "one"],
        &expect![[r#"
        stdout:
        hello
        stderr:
        status: 0
    "#]],
    );
}

/// A workspace that needs a package from a registry, which is missing, and one from a path.
fn incomplete() -> Folder {
    let dependencies = "[features]\ndefault = [\"more\"]\nmore = [\"counter/checked\"]\n[dependencies]\n\
                        no-such-crate-tsvd = \"1.2\"\ncounter = { path = \"../counter\" }\n\
                        gone = { path = \"../gone\" }\n[target.'cfg(windows)'.dependencies]\nno-such-either = \"1\"\n\
                        [build-dependencies]\nno-such-tool = \"1\"\n";
    Folder::new(&[
        ("app/Cargo.toml", manifest("app", dependencies).as_str()),
        (
            "app/src/main.rs",
            "fn main() {\n    println!(\"{} {}\", counter::next(), counter::CHECKED);\n    \
             std::thread::spawn(counter::unchecked);\n    counter::unchecked();\n    no_such_crate_tsvd::go();\n    \
             println!(\"end\");\n}\n",
        ),
        ("counter/Cargo.toml", manifest("counter", "[features]\nchecked = []\n").as_str()),
        (
            "counter/src/lib.rs",
            "static mut LAST: u32 = 41;\npub const CHECKED: bool = cfg!(feature = \"checked\");\n\
             pub fn next() -> u32 {\n    unsafe { LAST + 1 }\n}\npub fn unchecked() {\n    unsafe { LAST += 1 }\n}\n",
        ),
    ])
}

#[test]
fn dependencies_that_are_not_there() {
    let folder = incomplete();
    let (stdout, stderr, status) = folder.output(&["check", "app", "--format", "short"]);
    for said in [
        "counter/src/lib.rs:7:14: error[data-race]",
        "missing dependencies, not downloaded: `no-such-crate-tsvd` ^1.2; run `cargo fetch`\n",
        "missing dependency: `gone`: there is no package at ",
    ] {
        assert!(status == 1 && (stdout.clone() + &stderr).contains(said), "{said}: {stdout}{stderr}");
    }
    let (stdout, stderr, status) = folder.output(&["run", "app"]);
    assert!(stdout == "42 true\nend\n" && stderr.contains("`cargo fetch`") && status == 0, "{stdout}{stderr}");
}

#[test]
fn a_locked_dependency_that_is_not_there() {
    let folder = incomplete();
    let lock = "version = 4\n\n[[package]]\nname = \"app\"\nversion = \"0.1.0\"\ndependencies = [\n \"counter\",\n \
                \"no-such-crate-tsvd\",\n]\n\n[[package]]\nname = \"counter\"\nversion = \"0.1.0\"\n\n[[package]]\n\
                name = \"no-such-crate-tsvd\"\nversion = \"1.2.3\"\n\
                source = \"registry+https://github.com/rust-lang/crates.io-index\"\n\
                checksum = \"0000000000000000000000000000000000000000000000000000000000000000\"\n";
    folder.write("app/Cargo.lock", lock.as_bytes());
    let manifest =
        manifest("app", "[dependencies]\nno-such-crate-tsvd = \"1.2\"\ncounter = { path = \"../counter\" }\n");
    folder.write("app/Cargo.toml", manifest.as_bytes());
    let (stdout, stderr, status) = folder.output(&["check", "app"]);
    assert!(
        stdout.contains("error[data-race]") && stderr.contains("`no-such-crate-tsvd` ^1.2") && status == 1,
        "{stdout}{stderr}"
    );
    assert_eq!(std::fs::read_to_string(folder.path().join("app/Cargo.lock")).expect("it is there"), lock);
}

#[test]
fn paths_are_those_from_where_the_user_is() {
    let folder = incomplete();
    let manifest = manifest("app", "[dependencies]\ncounter = { path = \"../counter\" }\n");
    folder.write("app/Cargo.toml", manifest.as_bytes());
    let main = "fn main() {\n    std::thread::spawn(counter::unchecked);\n    counter::unchecked();\n    panic!(\"end\");\n}\n";
    folder.write("app/src/main.rs", main.as_bytes());
    let found = |from: &str, path: &str| {
        let (stdout, stderr, _) = folder.output_in(from, &["check", path, "--format", "short"]);
        stdout.lines().next().unwrap_or(&stderr).split(": ").next().unwrap_or_default().to_owned()
    };
    assert_eq!(found(".", "app"), "counter/src/lib.rs:7:14");
    assert_eq!(found("app", "."), "../counter/src/lib.rs:7:14");
    assert_eq!(found("app/src", ".."), "../../counter/src/lib.rs:7:14");
    assert_eq!(found("counter", "../app/Cargo.toml"), "src/lib.rs:7:14");
    // Messages from the program contain the paths that cargo compiles into it.
    let (_, stderr, _) = folder.output(&["run", "app"]);
    assert!(stderr.contains("panicked at src/main.rs:4:5"), "{stderr}");
}

/// Features as in cargo; a finding with a feature is replayed with it, and cargo reports an unknown feature.
#[test]
fn features() {
    const MANIFEST: &str =
        "[package]\nname = \"shop\"\nedition = \"2024\"\n[features]\ndefault = [\"slow\"]\nslow = []\nfast = []\n";
    const MAIN: &str = "
static mut SOLD: u32 = 0;

fn main() {
    if cfg!(feature = \"slow\") {
        return;
    }
    #[cfg(feature = \"fast\")]
    {
        let seller = std::thread::spawn(|| unsafe { SOLD += 1 });
        unsafe { SOLD += 1 }
        seller.join().unwrap();
    }
}
";
    let missing = format!("{MANIFEST}[dependencies]\nnot-there-at-all = \"1\"\n");
    for manifest in [MANIFEST, &missing] {
        let folder = Folder::new(&[("Cargo.toml", manifest), ("src/main.rs", MAIN)]);
        let found = |args: &[&str]| {
            let (stdout, stderr, status) = folder.output(&[&["check"], args].concat());
            assert_eq!(stdout.contains("error[data-race]"), status == 1, "{stdout}{stderr}");
            stdout
        };
        // With a missing package, one of each kind.
        let (silent, loud) = if manifest == MANIFEST { (4, 2) } else { (1, 1) };
        for silent in &[&["--features", "fast"][..], &[], &["--all-features"], &["--no-default-features"]][..silent] {
            assert_eq!(found(silent), "", "{silent:?}");
        }
        let options =
            [&["--no-default-features", "--features=shop/fast"][..], &["--no-default-features", "-F", "fast"]];
        for loud in &options[..loud] {
            let report = found(loud);
            let id = report.split("tsvd-check replay ").nth(1).and_then(|rest| rest.get(..6)).expect("an id");
            let (_, stderr, status) = folder.output(&["replay", id]);
            assert!(status == 1 && stderr.contains("replayed"), "{stderr}");
        }
    }
    let folder = Folder::new(&[("Cargo.toml", MANIFEST), ("src/main.rs", MAIN), ("alone.rs", "fn main() {}")]);
    let (_, stderr, status) = folder.output(&["check", "-F", "quick"]);
    assert!(stderr.contains("quick") && status == 2, "{stderr}");
    let (_, stderr, status) = folder.output(&["check", "alone.rs", "-F", "quick"]);
    assert!(stderr.contains("alone.rs is a file without a package: it has no features") && status == 2, "{stderr}");
}
