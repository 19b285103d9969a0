//! Reports in files that the user names: a repository must not choose where they go, and no source is lost.

#![cfg(unix)]

use crate::support::Folder;
use std::{
    fs,
    os::unix::fs::{PermissionsExt as _, symlink},
};

const PROGRAM: &str = "fn main() {}\n";

/// The message and status of a check that writes a report to a path.
fn written(folder: &Folder, path: &str) -> (String, i32) {
    let (stdout, stderr, status) = folder.output(&["check", "quiet.rs", &format!("--output=sarif={path}")]);
    assert_eq!(stdout, "");
    (stderr.replace(&folder.path().display().to_string(), "DIR"), status)
}

#[test]
fn no_report_goes_through_a_link() {
    let folder = Folder::new(&[("quiet.rs", PROGRAM), ("private/letter", "a letter"), ("out/deep/.keep", "")]);
    let at = |path: &str| folder.path().join(path);
    symlink(at("private"), at("link")).unwrap();
    symlink(at("private"), at("out/deep/link")).unwrap();
    symlink(at("private/letter"), at("report.sarif")).unwrap();
    symlink(at("private/new"), at("dangling.sarif")).unwrap();
    let absolute = at("link/new.sarif").display().to_string();
    for (path, why) in [
        ("link/new.sarif", "link: it is a link, or no folder: not followed"),
        ("out/deep/link/new.sarif", "out/deep/link: it is a link, or no folder: not followed"),
        (&absolute, "link: it is a link, or no folder: not followed"),
        ("report.sarif", "it is a link, a folder or a special file"),
        ("dangling.sarif", "it is a link, a folder or a special file"),
        ("out", "it is a link, a folder or a special file"),
        ("absent/new.sarif", "there is no folder absent; make it first"),
        ("quiet.rs", "it looks like a source or a manifest; give the report another name"),
        ("..", "it names no file"),
    ] {
        let path = if path == absolute { absolute.clone() } else { path.to_owned() };
        let shown = path.replace(&folder.path().display().to_string(), "DIR");
        // Said before anything is checked.
        assert_eq!(written(&folder, &path), (format!("error: {shown} cannot be written: {why}\n"), 2));
    }
    assert_eq!(fs::read_to_string(at("private/letter")).unwrap(), "a letter");
    assert_eq!(fs::read_dir(at("private")).unwrap().count(), 1);
    assert_eq!(fs::read_to_string(at("quiet.rs")).unwrap(), PROGRAM);
}

#[test]
fn an_earlier_report_is_replaced_whole() {
    let folder = Folder::new(&[("quiet.rs", PROGRAM), ("out/report.sarif", "an earlier one")]);
    let out = folder.path().join("out");
    let report = fs::canonicalize(&out).unwrap().join("report.sarif");
    for path in ["out/report.sarif", "./out/../out/report.sarif", &report.display().to_string()] {
        fs::write(&report, "an earlier one").unwrap();
        let (stderr, status) = written(&folder, path);
        assert_eq!(status, 0, "{stderr}");
        assert!(fs::read_to_string(&report).unwrap().contains("\"2.1.0\""), "{path}");
    }
    // No draft is left, and others may read the report as any file that the user makes.
    assert_eq!(fs::read_dir(&out).unwrap().count(), 1);
    assert_eq!(fs::metadata(&report).unwrap().permissions().mode() & 0o600, 0o600);
    let other = fs::File::create(out.join("other")).unwrap().metadata().unwrap();
    assert_eq!(fs::metadata(&report).unwrap().permissions(), other.permissions());
}
