//! Links, special files and files outside of what is checked.

use super::inputs::{HELLO, manifest};
use crate::support::Folder;
use expect_test::expect;

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
    folder.expect(
        &["check", "loop.rs"],
        &expect![[r#"
        stdout:
        stderr:
        error: cannot read loop.rs: Too many levels of symbolic links (os error 40)
        status: 2
    "#]],
    );
    folder.expect(
        &["check", "zero.rs"],
        &expect![[r#"
        stdout:
        stderr:
        error: zero.rs is not a regular file
        status: 2
    "#]],
    );
    folder.expect(
        &["check", "huge.rs"],
        &expect![[r#"
        stdout:
        stderr:
        error: huge.rs is larger than 64 MiB
        status: 2
    "#]],
    );
}

#[test]
#[cfg(unix)]
fn links_in_a_package() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new(&[
        ("app/Cargo.toml", manifest("app", "").as_str()),
        ("app/src/main.rs", "mod shared;\nfn main() { shared::hello(); }\n"),
        ("app/common/mod.rs", "pub fn hello() { println!(\"linked\"); }\n"),
        ("elsewhere/mod.rs", ""),
    ]);
    symlink("../common", folder.path().join("app/src/shared")).expect("the folder is writable");
    symlink("../../elsewhere", folder.path().join("app/src/other")).expect("the folder is writable");
    symlink("..", folder.path().join("app/src/up")).expect("the folder is writable");
    folder.expect(
        &["run", "app"],
        &expect![[r#"
        stdout:
        linked
        stderr:
        not read: app/src/other: a link to outside of the project
        status: 0
    "#]],
    );
}

#[test]
#[cfg(unix)]
fn a_file_that_may_not_be_read() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new(&[("secret.rs", HELLO)]);
    let path = folder.path().join("secret.rs");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o000)).expect("the file is ours");
    // root can read everything.
    if std::fs::read(&path).is_err() {
        let (stdout, stderr, status) = folder.output(&["check", "secret.rs"]);
        assert!(stdout.is_empty() && stderr.contains("Permission denied") && status == 2, "{stderr}");
    }
}

/// What rust-analyzer has no root for is left out, and costs nothing else.
#[test]
fn a_file_outside_of_the_package_that_is_included() {
    let race = "static mut N: u32 = 0;\nfn main() {\n    let t = std::thread::spawn(|| unsafe { N += 1 });\n    unsafe { N += 1 }\n    \
                t.join().unwrap();\n    print!(\"{}\", include_str!(\"../../secret\"));\n}\n";
    let folder = Folder::new(&[
        ("secret", "hunter2"),
        ("p/Cargo.toml", "[package]\nname = \"p\"\nedition = \"2021\"\n"),
        ("p/src/main.rs", race),
    ]);
    let (stdout, stderr, status) = folder.output(&["check", "--runs", "5", "p"]);
    assert!(stdout.contains("error[data-race]") && status == 1, "{stdout}{stderr}");
    assert!(stderr.contains("secret: included, but not in the folder of a package or workspace"), "{stderr}");
    assert!(!stderr.contains("hunter2") && !stdout.contains("hunter2"), "{stdout}{stderr}");
}

/// Packages of a workspace include its README; a link from there to elsewhere is not read.
#[test]
#[cfg(unix)]
fn a_file_of_the_workspace_that_is_included() {
    let main = "fn main() { print!(\"{}\", include_str!(\"../../TEXT\")); }\n";
    let folder = Folder::new(&[
        ("w/Cargo.toml", "[workspace]\nmembers = [\"a\", \"b\"]\nresolver = \"2\"\n"),
        ("w/TEXT", "of both\n"),
        ("w/a/Cargo.toml", manifest("a", "").as_str()),
        ("w/a/src/main.rs", main),
        ("w/b/Cargo.toml", manifest("b", "").as_str()),
        ("w/b/src/main.rs", main),
        ("secret", "hunter2"),
    ]);
    for package in ["w/a", "w/b"] {
        let (stdout, stderr, status) = folder.output(&["run", package]);
        assert_eq!((stdout.as_str(), status), ("of both\n", 0), "{stderr}");
    }
    std::fs::remove_file(folder.path().join("w/TEXT")).expect("the folder is writable");
    std::os::unix::fs::symlink("../secret", folder.path().join("w/TEXT")).expect("the folder is writable");
    let (stdout, stderr, _) = folder.output(&["run", "w/a"]);
    assert!(!stdout.contains("hunter2") && stderr.contains("not in the folder of a package or workspace"), "{stderr}");
}
