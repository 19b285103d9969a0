//! What cannot be loaded, and how that is said.

use expect_test::expect;

use super::support::{Folder, try_load};

#[test]
fn paths_that_lead_nowhere() {
    let folder = Folder::new(&[("readme.md", "x"), ("bad/Cargo.toml", "[package\n")]);
    folder.write("latin.rs", b"fn main() { /* \xe9 */ }");
    std::fs::create_dir(folder.path("folder.rs")).expect("the folder is writable");
    expect!["no such file or folder: DIR/none.rs"].assert_eq(&folder.error("none.rs"));
    expect!["no such file or folder: DIR/none"].assert_eq(&folder.error("none"));
    expect!["no Cargo.toml or rust-project.json in DIR/folder.rs: give a package's folder, its Cargo.toml, a rust-project.json, or a single .rs file"]
        .assert_eq(&folder.error("folder.rs"));
    expect!["DIR/latin.rs is not UTF-8 (byte 15): save it as UTF-8"].assert_eq(&folder.error("latin.rs"));
    expect!["no Cargo.toml or rust-project.json in DIR/: give a package's folder, its Cargo.toml, a rust-project.json, or a single .rs file"]
        .assert_eq(&folder.error(""));
    expect!["no Cargo.toml or rust-project.json in DIR/readme.md: give a package's folder, its Cargo.toml, a rust-project.json, or a single .rs file"]
        .assert_eq(&folder.error("readme.md"));
}

#[test]
fn manifests_that_cargo_refuses() {
    let folder = Folder::new(&[("Cargo.toml", "[package]\nname = \"a\"\nversion = \"x\"\n"), ("src/main.rs", "")]);
    let error = folder.error("");
    assert!(error.starts_with("cargo cannot read DIR/Cargo.toml: "), "{error}");
    assert!(error.contains("version"), "{error}");
}

#[test]
fn a_dependency_that_is_not_there_is_left_out() {
    let manifest = "[package]\nname = \"a\"\nversion = \"0.1.0\"\n[dependencies]\nno-such-crate-tsvd = \"1\"\n";
    let folder = Folder::new(&[("Cargo.toml", manifest), ("src/main.rs", "fn main() {}")]);
    let project = try_load(&folder.path("")).expect("the package itself is right");
    let left_out: Vec<_> = project.left_out().iter().map(ToString::to_string).collect();
    assert_eq!(left_out, ["`no-such-crate-tsvd` ^1"]);
    assert_eq!(project.with_db(|project| project.binaries().len()), 1);
}
