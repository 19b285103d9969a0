//! Packages that need more than their source: build scripts, procedural macros, and what of these may run.

use crate::support::Folder;
use expect_test::expect;
use std::process::Command;

/// A package whose build script sets a cfg and a variable and writes a file, and which uses a macro of each kind.
fn shop() -> Folder {
    Folder::new(&[
        (
            "Cargo.toml",
            "[package]\nname = \"shop\"\nedition = \"2021\"\n[dependencies]\nsigns = { path = \"signs\" }\n[lints.rust]\nunexpected_cfgs = \"allow\"\n",
        ),
        (
            "build.rs",
            r#"fn main() {
                println!("cargo:rerun-if-changed=build.rs");
                println!("cargo:rustc-cfg=fast");
                println!("cargo::rustc-env=GREETING=hello");
                // What rests on the machine is known only from a build.
                let _ = std::path::Path::new("/proc").exists();
                let folder = std::env::var("OUT_DIR").unwrap();
                std::fs::write(format!("{folder}/made.rs"), "pub const MADE: u32 = 5;").unwrap();
            }"#,
        ),
        (
            "src/main.rs",
            r#"include!(concat!(env!("OUT_DIR"), "/made.rs"));
#[derive(signs::Named)]
struct Shelf;
#[signs::twice]
fn one() -> u32 {
    1
}
fn main() {
    println!("{MADE} {} {} {}", signs::seven!(), Shelf.name(), again_one());
    println!("{} {}", cfg!(fast), env!("GREETING"));
}
"#,
        ),
        ("signs/Cargo.toml", "[package]\nname = \"signs\"\nedition = \"2021\"\n[lib]\nproc-macro = true\n"),
        (
            "signs/src/lib.rs",
            r#"use proc_macro::{TokenStream, TokenTree};
            #[proc_macro]
            pub fn seven(_: TokenStream) -> TokenStream { "7".parse().unwrap() }
            #[proc_macro_derive(Named)]
            pub fn named(item: TokenStream) -> TokenStream {
                let name = item.into_iter().filter(|it| matches!(it, TokenTree::Ident(_))).nth(1).unwrap();
                format!("impl {name} {{ fn name(&self) -> &'static str {{ \"{name}\" }} }}").parse().unwrap()
            }
            #[proc_macro_attribute]
            pub fn twice(_: TokenStream, item: TokenStream) -> TokenStream {
                let text = item.to_string();
                format!("{text} {}", text.replacen("fn ", "fn again_", 1)).parse().unwrap()
            }"#,
        ),
    ])
}

/// What a user does between two checks.
fn cargo_check(folder: &Folder) {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["check", "--offline", "--quiet"]).current_dir(folder.path()).env_remove("CARGO_TARGET_DIR");
    let output = cargo.output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

const SHOP: &str = "5 7 Shelf 1\ntrue hello\n";
const LOADED: &str = "macro libraries loaded: `signs` (target/debug/deps/libsigns-HASH.so)\n";

/// The same without the hash that cargo gives a library.
fn without_hash(text: &str) -> String {
    match text.split_once("libsigns-").and_then(|(before, rest)| Some((before, rest.split_once(".so")?.1))) {
        Some((before, after)) => format!("{before}libsigns-HASH.so{after}"),
        None => text.to_owned(),
    }
}

#[test]
fn what_a_build_left_is_used() {
    let folder = shop();
    cargo_check(&folder);
    let (stdout, stderr, _) = folder.output(&["run"]);
    assert!(!stdout.contains("Shelf"), "{stdout}");
    let word = "build output not used, because this workspace is not trusted: build script of `shop`; run `tsvd-check trust .` to use it\n";
    assert!(stderr.starts_with(word), "{stderr}");
    folder.allow(".");
    let (stdout, stderr, status) = folder.output(&["run"]);
    assert_eq!((stdout.as_str(), without_hash(&stderr).as_str(), status), (SHOP, LOADED, 0));
    let (stdout, stderr, status) = folder.output(&["run", "--trusted"]);
    let announced = "`--trusted`: runs `cargo check` in DIR; this runs the build scripts of `shop`; this runs the procedural macros of `signs`\n";
    let stderr = stderr.replace(&folder.path().display().to_string(), "DIR");
    assert_eq!((stdout.as_str(), without_hash(&stderr), status), (SHOP, format!("{announced}{LOADED}"), 0));
    let (stdout, stderr, _) = folder.output(&["run", "--untrusted"]);
    assert!(!stdout.contains("Shelf"), "{stdout}");
    let words = "build output not used (`--untrusted`): build script of `shop`
assumed not set: cfgs that the build script of `shop` may set: `fast` (src/main.rs:10:28)
not expanded: `include!` (src/main.rs:1:1): `OUT_DIR` not set, build scripts may have failed to run
";
    assert!(stderr.starts_with(words), "{stderr}");
}

/// A missing expansion does not count as empty: a call statement may have any effect, and is reported where it is
/// reached.
#[test]
fn a_statement_that_is_not_expanded() {
    let folder = shop();
    folder.write(
        "signs/src/lib.rs",
        b"#[proc_macro]\npub fn seven(_: proc_macro::TokenStream) -> proc_macro::TokenStream { panic!() }\n",
    );
    folder.write(
        "src/main.rs",
        b"fn main() {\n    signs::seven!();\n    let n: u32 = signs::seven!();\n    let _m = n;\n}\nsigns::seven!();\n",
    );
    let (_, stderr, _) = folder.output(&["run", "--untrusted"]);
    assert!(stderr.contains("not expanded: `signs::seven!` (src/main.rs:6:1)"), "{stderr}");
    assert!(stderr.contains("uninterpreted: 2 (first: src/main.rs:2:5 `signs::seven` is not expanded)"), "{stderr}");
}

#[test]
fn trusted_builds() {
    let folder = shop();
    let (stdout, _, status) = folder.output(&["run", "--trusted"]);
    assert_eq!((stdout.as_str(), status), (SHOP, 0));
    // That was for one run.
    let (stdout, stderr, _) = folder.output(&["run"]);
    assert!(
        stdout != SHOP && stderr.starts_with("build output not used, because this workspace is not trusted: "),
        "{stderr}"
    );
    folder.allow(".");
    let (stdout, _, status) = folder.output(&["run"]);
    assert_eq!((stdout.as_str(), status), (SHOP, 0));
}

#[test]
fn nothing_is_built_unasked() {
    for tier in [&["run"][..], &["run", "--untrusted"]] {
        let folder = shop();
        folder.output(tier);
        assert!(!folder.path().join("target").exists());
    }
    let folder = shop();
    folder.allow(".");
    let (_, stderr, _) = folder.output(&["run"]);
    let word = "not built: build script of `shop`; run `cargo check`, or use `--trusted`\n";
    assert!(stderr.starts_with(word), "{stderr}");
}

#[test]
fn what_is_old_is_named() {
    let folder = shop();
    cargo_check(&folder);
    folder.allow(".");
    let touch = |path: &str| {
        let file = std::fs::File::options().append(true).open(folder.path().join(path)).expect("it is there");
        file.set_modified(std::time::SystemTime::now() + std::time::Duration::from_secs(10)).expect("it is ours");
    };
    touch("signs/src/lib.rs");
    let (stdout, stderr, _) = folder.output(&["run"]);
    let word = "build output used, although older than signs/src/lib.rs: macros of `signs`; run `cargo check`, or use `--trusted`\n";
    assert_eq!((stdout.as_str(), without_hash(&stderr)), (SHOP, format!("{LOADED}{word}")));
    touch("build.rs");
    let (_, stderr, _) = folder.output(&["run"]);
    assert!(stderr.contains("\nbuild output used, although older than build.rs: build script of `shop`; "), "{stderr}");
}

/// cargo compares times, so touching a file makes build output out of date, and the cached report is not used. The same
/// if a file is added to those that a build script may read.
#[test]
fn what_was_only_touched_is_old() {
    let folder = shop();
    cargo_check(&folder);
    folder.allow(".");
    let says = || folder.output(&["check", "--no-tests"]).1;
    assert!(says().contains("nothing left out") && says().contains("nothing left out"));
    let touch = |path: &str| {
        let file = std::fs::File::options().append(true).open(folder.path().join(path)).expect("it is there");
        file.set_modified(std::time::SystemTime::now()).expect("the time can be set");
    };
    // For sources of the program only the text counts.
    touch("src/main.rs");
    assert!(says().contains("nothing left out"));
    touch("signs/src/lib.rs");
    let word = "build output used, although older than signs/src/lib.rs: macros of `signs`";
    assert!(says().contains(word) && says().contains(word), "{}", says());
    cargo_check(&folder);
    assert!(says().contains("nothing left out"), "{}", says());
    let script = std::fs::read_to_string(folder.path().join("build.rs")).expect("it is there");
    folder.write("build.rs", script.replace("println!(\"cargo:rerun-if-changed=build.rs\");", "").as_bytes());
    cargo_check(&folder);
    assert!(says().contains("nothing left out"), "{}", says());
    folder.write("notes.txt", b"read by the script, perhaps");
    assert!(says().contains("build output used, although older than notes.txt: build script of `shop`"), "{}", says());
}

/// An invalid library, and a build script without traces.
#[test]
fn what_is_broken_is_named() {
    let folder = shop();
    cargo_check(&folder);
    folder.allow(".");
    let inside = |path: &str| {
        let entries = std::fs::read_dir(folder.path().join(path)).expect("cargo made it");
        entries.map(|entry| entry.expect("it can be read").path()).collect::<Vec<_>>()
    };
    for path in inside("target/debug/deps") {
        if path.extension().is_some_and(|it| it == "so") {
            std::fs::write(path, "no library").expect("it is ours");
        }
    }
    for path in inside("target/debug/.fingerprint") {
        if path.file_name().is_some_and(|it| it.to_string_lossy().starts_with("shop-")) {
            std::fs::remove_dir_all(path).expect("it is ours");
        }
    }
    let (_, stderr, _) = folder.output(&["run"]);
    let lines: Vec<&str> = stderr.lines().collect();
    assert!(lines[0].starts_with("not built: build script of `shop`; "), "{stderr}");
    assert!(lines[1].starts_with("build output not usable: macros of `signs`: "), "{stderr}");
}

/// A cached report is not used if the build output has changed.
#[test]
fn kept_results_follow_what_is_built() {
    let folder = shop();
    let says = |args: &[&str], word: &str| {
        let (_, stderr, status) = folder.output(args);
        assert_eq!(status, 0, "{stderr}");
        assert!(stderr.contains(word), "{stderr}");
    };
    says(&["check"], "this workspace is not trusted: build script of `shop`");
    folder.allow(".");
    says(&["check"], "not built: build script of `shop`");
    says(&["check"], "not built: build script of `shop`");
    cargo_check(&folder);
    says(&["check"], "nothing left out");
    says(&["check", "--untrusted"], "not used");
    says(&["check"], "nothing left out");
    std::fs::remove_dir_all(folder.path().join("target/debug")).expect("cargo made it");
    says(&["check"], "not built: build script of `shop`");
}

#[test]
fn tiers_exclude_each_other() {
    let folder = Folder::new(&[("a.rs", "fn main() {}")]);
    folder.expect(
        &["check", "a.rs", "--trusted", "--untrusted"],
        &expect![[r#"
        stdout:
        stderr:
        error: the argument '--trusted' cannot be used with '--untrusted'

        Usage: tsvd-check check --trusted <PATH>...

        For more information, try '--help'.
        status: 2
    "#]],
    );
}

/// Two programs; the first has a module with the same names again.
#[test]
fn bugs_of_the_same_names_are_told_apart_by_module_and_file() {
    const RACE: &str = "static mut COUNT: u32 = 0;
fn add() { unsafe { COUNT += 1 } }
pub fn work() { let other = std::thread::spawn(add); add(); other.join().unwrap(); }
";
    let folder = Folder::new(&[
        ("Cargo.toml", "[package]\nname = \"names\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"),
        ("src/bin/one.rs", &format!("{RACE}mod inner {{\n{RACE}}}\nfn main() {{ work(); inner::work(); }}\n")),
        ("src/bin/two.rs", &format!("{RACE}fn main() {{ work(); }}\n")),
    ]);
    let (stdout, stderr, status) = folder.output(&["check", "--format", "short"]);
    let found: Vec<&str> = stdout.lines().filter_map(|line| line.split(": error[data-race]").next()).collect();
    let expected = ["src/bin/one.rs:2:21", "src/bin/one.rs:6:21", "src/bin/two.rs:2:21"];
    assert_eq!((found.as_slice(), status), (expected.as_slice(), 1), "{stdout}{stderr}");
}
