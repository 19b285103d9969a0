//! Complete reports.

use expect_test::expect_file;
use std::path::Path;
use std::process::Command;

/// Copies a package, so that nothing is written into the repository.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("the temporary folder is writable");
    for entry in std::fs::read_dir(from).expect("the folder is there") {
        let path = entry.expect("readable folder").path();
        let target = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            std::fs::copy(&path, &target).expect("the file can be copied");
        }
    }
}

/// Standard output of a check.
fn report(folder: &Path, args: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tsvd-check"));
    let output = command.args(args).current_dir(folder).env_remove("CARGO").output().expect("the program was built");
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("only text is printed")
}

#[test]
fn a_package_of_several_files() {
    let folder = tempfile::tempdir().expect("the temporary folder is writable");
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/deadlock/bank_audit"), folder.path());
    expect_file!["reports/bank_audit.txt"].assert_eq(&report(folder.path(), &["check"]));
}

#[test]
fn colours_are_for_those_who_want_them() {
    let folder = tempfile::tempdir().expect("the temporary folder is writable");
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/race/static_mut"), folder.path());
    let plain = report(folder.path(), &["check", "bug.rs", "--runs", "10"]);
    let styled = report(folder.path(), &["check", "bug.rs", "--runs", "10", "--color", "always"]);
    assert!(!plain.contains('\u{1b}'), "{plain}");
    assert!(styled.contains('\u{1b}'), "{styled}");
}

#[test]
fn a_guard_that_a_call_takes_may_be_kept() {
    let folder = tempfile::tempdir().expect("the temporary folder is writable");
    let main = "use std::sync::Mutex;\nfn main() {\n    let lock = Mutex::new(1);\n    std::mem::forget(lock.lock().unwrap());\n    *lock.lock().unwrap() += 1;\n}\n";
    std::fs::write(folder.path().join("main.rs"), main).expect("the temporary folder is writable");
    let text = report(folder.path(), &["check", "main.rs"]);
    assert!(text.contains("`main` took `lock` here") && !text.contains("holds it until"), "{text}");
}
