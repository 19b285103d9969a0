//! What well-known build scripts print is known without running them (decision 31).

use crate::support::Folder;

/// A program that asks a crate named `log` what its build script set.
fn program(version: &str, dependency: &str) -> Folder {
    let manifest = format!(
        "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[dependencies]\nlog = {dependency}\n"
    );
    Folder::new(&[
        ("Cargo.toml", &manifest),
        (
            ".cargo/config.toml",
            "[source.crates-io]\nreplace-with = \"vendored\"\n[source.vendored]\ndirectory = \"vendor\"\n",
        ),
        (
            "vendor/log/Cargo.toml",
            &format!("[package]\nname = \"log\"\nversion = \"{version}\"\nedition = \"2021\"\nbuild = \"build.rs\"\n"),
        ),
        ("vendor/log/.cargo-checksum.json", "{\"files\":{}}"),
        ("vendor/log/build.rs", "fn main() { std::fs::write(\"ran\", \"\").unwrap(); }\n"),
        (
            "vendor/log/src/lib.rs",
            "pub fn has() -> (bool, bool, bool) { (cfg!(atomic_cas), cfg!(has_atomics), cfg!(other)) }\n",
        ),
        ("src/main.rs", "fn main() { println!(\"{:?}\", log::has()); }\n"),
    ])
}

const MISSING: &str = "not used, this workspace is not trusted: build script of `log`";

#[test]
fn cfgs_of_a_known_build_script_are_set() {
    let folder = program("0.4.14", "\"0.4\"");
    let (stdout, stderr, status) = folder.output(&["run"]);
    assert_eq!((stdout.as_str(), stderr.as_str(), status), ("(true, true, false)\n", "", 0));
    let (stdout, _, _) = folder.output(&["run", "--untrusted"]);
    assert_eq!(stdout, "(true, true, false)\n");
    assert!(!folder.path().join("vendor/log/ran").exists());
}

#[test]
fn other_versions_packages_and_platforms_are_unknown() {
    let folder = program("0.4.99", "\"0.4\"");
    let (stdout, stderr, _) = folder.output(&["run"]);
    assert_eq!(stdout, "(false, false, false)\n");
    assert!(stderr.starts_with(MISSING), "{stderr}");

    let folder = program("0.4.14", "{ path = \"vendor/log\" }");
    let (stdout, stderr, _) = folder.output(&["run"]);
    assert_eq!(stdout, "(false, false, false)\n");
    assert!(stderr.starts_with(MISSING), "{stderr}");

    let folder = program("0.4.14", "\"0.4\"");
    let (_, stderr, _) = folder.output(&["check", "--target", "aarch64-unknown-linux-gnu"]);
    assert!(stderr.contains("build script of `log`"), "{stderr}");
}
