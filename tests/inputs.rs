//! What people give the program that is not as it should be: each gets a message that says what to do, never a panic, never
//! a silent nothing.

#[allow(dead_code, reason = "not every test needs all of it")]
mod support;

use expect_test::expect;
use support::Folder;

const HELLO: &str = "fn main() { println!(\"hello\"); }\n";

fn manifest(name: &str, rest: &str) -> String {
    format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n{rest}")
}

#[test]
fn paths() {
    let folder = Folder::new(&[("a.rs", HELLO), ("folder.rs/readme.txt", ""), ("notes.txt", ""), ("big.rs", "")]);
    for path in ["none.rs", "-", "", "a.rs/b.rs", "folder.rs", "notes.txt"] {
        let (stdout, stderr, status) = folder.output(&["check", path]);
        assert_eq!((stdout.as_str(), status), ("", 2), "{path}: {stderr}");
    }
    folder.expect(&["check", "-"], &expect![[""]]);
    folder.expect(&["check", ""], &expect![[""]]);
    folder.expect(&["check", "a.rs/b.rs"], &expect![[""]]);
    folder.expect(&["check", "folder.rs"], &expect![[""]]);
    folder.expect(&["check", "notes.txt"], &expect![[""]]);
    folder.expect(&["chekc"], &expect![[""]]);
}

#[test]
#[cfg(unix)]
fn files_without_an_end() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new(&[]);
    let at = |name: &str| folder.path().join(name);
    symlink("loop.rs", at("loop.rs")).expect("the folder is writable");
    symlink("/dev/zero", at("zero.rs")).expect("the folder is writable");
    let huge = std::fs::File::create(at("huge.rs")).expect("the folder is writable");
    huge.set_len(100 << 20).expect("a file can have holes");
    folder.expect(&["check", "loop.rs"], &expect![[""]]);
    folder.expect(&["check", "zero.rs"], &expect![[""]]);
    folder.expect(&["check", "huge.rs"], &expect![[""]]);
}

#[test]
#[cfg(unix)]
fn links_in_a_package() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new(&[
        ("app/Cargo.toml", manifest("app", "").as_str()),
        ("app/src/main.rs", "mod shared;\nfn main() { shared::hello(); }\n"),
        ("shared/mod.rs", "pub fn hello() { println!(\"linked\"); }\n"),
    ]);
    symlink("../../shared", folder.path().join("app/src/shared")).expect("the folder is writable");
    symlink("..", folder.path().join("app/src/up")).expect("the folder is writable");
    folder.expect(&["run", "app"], &expect![[""]]);
}

#[test]
#[cfg(unix)]
fn a_file_that_may_not_be_read() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new(&[("secret.rs", HELLO)]);
    let path = folder.path().join("secret.rs");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0)).expect("the file is ours");
    // The system's administrator may read everything.
    if std::fs::read(&path).is_err() {
        folder.expect(&["check", "secret.rs"], &expect![[""]]);
    }
}

#[test]
fn texts_as_editors_leave_them() {
    let folder = Folder::new(&[
        ("bom.rs", "\u{feff}fn main() { panic!(\"here\") }\n"),
        ("crlf.rs", "fn main() {\r\n    print!(\"a\r\nb\r\n\");\r\n    panic!(\"here\")\r\n}\r\n"),
        ("script.rs", "#!/usr/bin/env run-cargo-script\nfn main() { println!(\"hello\"); }\n"),
        ("end.rs", "fn main() { println!(\"no line end\"); }"),
    ]);
    folder.expect(&["run", "bom.rs"], &expect![[""]]);
    folder.expect(&["run", "crlf.rs"], &expect![[""]]);
    folder.expect(&["run", "script.rs"], &expect![[""]]);
    folder.expect(&["run", "end.rs"], &expect![[""]]);
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
    folder.expect(&["check", "takes.rs"], &expect![[""]]);
    folder.expect(&["check", "generic.rs"], &expect![[""]]);
    folder.expect(&["check", "waits.rs"], &expect![[""]]);
    folder.expect(&["check", "number.rs"], &expect![[""]]);
    folder.expect(&["run", "number.rs"], &expect![[""]]);
    folder.expect(&["run", "none.rs"], &expect![[""]]);
    folder.expect(&["check", "constant.rs"], &expect![[""]]);
    folder.expect(&["check", "comments.rs"], &expect![[""]]);
}

#[test]
fn crate_attributes() {
    let folder = Folder::new(&[
        ("nightly.rs", "#![feature(never_type)]\nfn main() { println!(\"hello\"); }\n"),
        ("no_std.rs", "#![no_std]\nextern crate std;\nfn main() { std::println!(\"hello\"); }\n"),
        ("bare.rs", "#![no_std]\n#![no_main]\n#[unsafe(no_mangle)]\npub extern \"C\" fn main() -> i32 { 0 }\n"),
    ]);
    folder.expect(&["run", "nightly.rs"], &expect![[""]]);
    folder.expect(&["run", "no_std.rs"], &expect![[""]]);
    folder.expect(&["check", "bare.rs"], &expect![[""]]);
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
    folder.expect(&["run", "absent.rs"], &expect![[""]]);
    folder.expect(&["run", "named.rs"], &expect![[""]]);
    let (stdout, stderr, status) = folder.output(&["run", "round.rs"]);
    assert_eq!((stdout.as_str(), status), ("round\n", 0), "{stderr}");
}

#[test]
fn deep_nesting() {
    let deep = |n: usize| format!("fn main() {{ println!(\"{{}}\", {}1{}); }}\n", "(".repeat(n), ")".repeat(n));
    let folder = Folder::new(&[("deep.rs", deep(3_000).as_str()), ("deeper.rs", deep(100_000).as_str())]);
    for name in ["deep.rs", "deeper.rs"] {
        let (_, stderr, status) = folder.output(&["check", name]);
        assert!(status == 0 || status == 2, "{name}: {status} {stderr}");
        assert!(!stderr.is_empty(), "{name}");
    }
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
    folder.expect(&["check", "broken"], &expect![[""]]);
    folder.expect(&["check", "empty"], &expect![[""]]);
    folder.expect(&["check", "library"], &expect![[""]]);
    folder.expect(&["run", "library"], &expect![[""]]);
    folder.expect(&["check", "app"], &expect![[""]]);
    folder.expect(&["run", "app"], &expect![[""]]);
    folder.expect(&["run", "app", "--bin", "shown"], &expect![[""]]);
    // The package around a folder, as cargo finds it.
    folder.expect(&["check", "app/src", "--bin", "app"], &expect![[""]]);
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
    folder.expect(&["check", "."], &expect![[""]]);
    folder.expect(&["run", "."], &expect![[""]]);
    folder.expect(&["run", ".", "--bin", "tool"], &expect![[""]]);
    folder.expect(&["run", ".", "-p", "two"], &expect![[""]]);
    folder.expect(&["run", ".", "-p", "three"], &expect![[""]]);
    folder.expect(&["run", "one"], &expect![[""]]);
}

/// A workspace that needs a package from a registry and one from a path, of which only the latter is there.
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
    folder.expect(&["check", "app"], &expect![[""]]);
    folder.expect(&["run", "app"], &expect![[""]]);
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
    folder.expect(&["check", "app"], &expect![[""]]);
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
        let (stdout, stderr, _) = folder.output_in(from, &["check", path]);
        stdout.lines().next().unwrap_or(&stderr).split(": ").next().unwrap_or_default().to_owned()
    };
    assert_eq!(found(".", "app"), "counter/src/lib.rs:7:14");
    assert_eq!(found("app", "."), "../counter/src/lib.rs:7:14");
    assert_eq!(found("app/src", ".."), "../../counter/src/lib.rs:7:14");
    assert_eq!(found("counter", "../app/Cargo.toml"), "src/lib.rs:7:14");
    // What the program itself prints is what cargo compiles into it.
    let (_, stderr, _) = folder.output(&["run", "app"]);
    assert!(stderr.contains("panicked at src/main.rs:4:5"), "{stderr}");
}

#[test]
fn wrong_usage() {
    let folder = Folder::new(&[("a.rs", HELLO)]);
    folder.expect(&["check", "--no-such-option"], &expect![[""]]);
    folder.expect(&["check", "--sed", "3"], &expect![[""]]);
    folder.expect(&["check", "a.rs", "--seed", "x"], &expect![[""]]);
    folder.expect(&["check", "a.rs", "--edition", "2020"], &expect![[""]]);
    folder.expect(&["check", "a.rs", "b.rs"], &expect![[""]]);
    folder.expect(&["--verbose"], &expect![[""]]);
}
