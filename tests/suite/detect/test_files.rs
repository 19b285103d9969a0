//! Files that tests find in the folder of their package.

use crate::support::Folder;

const MANIFEST: &str = "[package]\nname = \"store\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n";

/// A test that has a race if a file says so.
const TESTS: &str = r#"
use std::{env, fs, path::Path};

static mut COUNT: u32 = 0;

#[test]
fn reads_data() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    assert_eq!(env::current_dir().unwrap(), folder);
    assert_eq!(env::var("CARGO_MANIFEST_DIR").unwrap(), env!("CARGO_MANIFEST_DIR"));
    assert!(!Path::new("data/missing.txt").exists());
    let number = fs::read_to_string("data/number.txt").unwrap();
    assert_eq!(fs::read_to_string(folder.join("data/number.txt")).unwrap(), number);
    let mut names: Vec<_> = fs::read_dir("data").unwrap().map(|it| it.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["list.txt", "number.txt"]);
    fs::write("data/new.txt", "new").unwrap();
    assert_eq!(fs::read_to_string("data/new.txt").unwrap(), "new");
    if number == "42" {
        let worker = std::thread::spawn(|| unsafe { COUNT += 1 });
        unsafe { COUNT += 1 };
        worker.join().unwrap();
    }
}
"#;

fn store(number: &str) -> Folder {
    Folder::new(&[
        ("Cargo.toml", MANIFEST),
        ("src/lib.rs", ""),
        ("tests/data.rs", TESTS),
        ("data/number.txt", number),
        ("data/list.txt", "a\nb\n"),
    ])
}

#[test]
fn a_test_reads_what_its_package_has() {
    let folder = store("42");
    let (stdout, stderr, status) = folder.output(&["check", "--no-cache"]);
    assert!(status == 1 && stdout.contains("error[data-race]"), "{stdout}{stderr}");
    assert!(!stdout.contains("given"), "{stdout}");
    let (stdout, stderr, status) = folder.output(&["test"]);
    assert!(status == 0 && format!("{stdout}{stderr}").contains("1 passed"), "{stdout}{stderr}");
    // What it writes stays in the run.
    assert!(!folder.path().join("data/new.txt").exists());
}

#[test]
fn kept_results_follow_what_tests_read() {
    let folder = store("41");
    for (number, expected) in [("41", 0), ("42", 1), ("41", 0)] {
        folder.write("data/number.txt", number.as_bytes());
        for _ in 0..2 {
            let (stdout, stderr, status) = folder.output(&["check"]);
            assert_eq!(status, expected, "{number}: {stdout}{stderr}");
        }
    }
    folder.write("data/other.txt", b"");
    let (stdout, stderr, status) = folder.output(&["test"]);
    assert!(status != 0 && stdout.contains("other.txt"), "a folder has another name in it: {stdout}{stderr}");
}

/// A program that lists a folder sees all names.
#[test]
fn cached_reports_follow_every_name() {
    const LISTS: &str = "
        static mut COUNT: u32 = 0;
        #[test]
        fn lists() {
            if std::fs::read_dir(\"data\").unwrap().count() > 1 {
                let worker = std::thread::spawn(|| unsafe { COUNT += 1 });
                unsafe { COUNT += 1 };
                worker.join().unwrap();
            }
        }
    ";
    for name in ["data/.hidden", "data/target/x"] {
        let folder = Folder::new(&[
            ("Cargo.toml", MANIFEST),
            ("src/lib.rs", ""),
            ("tests/data.rs", LISTS),
            ("data/one.txt", ""),
        ]);
        for _ in 0..2 {
            assert_eq!(folder.output(&["check"]).2, 0);
        }
        folder.write(name, b"");
        assert_eq!(folder.output(&["check"]).2, 1, "{name}");
    }
}

/// What lies elsewhere is the user's, and what builds leave is not there in another clone.
#[cfg(unix)]
#[test]
fn nothing_outside_of_the_package_is_read() {
    const TEXT: &str = "a quite long and unusual text";
    const READS: &str = r#"
        static mut COUNT: u64 = 0;

        #[test]
        fn reads() {
            let other = std::thread::spawn(|| ());
            for path in [
                "data/link.txt", "target/made.txt", ".git/HEAD", "../outside.txt", "data/git/HEAD", "data/built/made.txt",
            ] {
                let bytes = std::fs::read(path).unwrap_or_default();
                // Made-up text must not have it by chance.
                let hash = bytes.iter().fold(0_u64, |hash, it| hash.wrapping_mul(31).wrapping_add(u64::from(*it)));
                if hash == HASH {
                    std::thread::spawn(|| unsafe { COUNT += 1 });
                    unsafe { COUNT += 1 };
                }
            }
            other.join().unwrap();
        }
    "#;
    let hash = TEXT.bytes().fold(0_u64, |hash, it| hash.wrapping_mul(31).wrapping_add(u64::from(it)));
    let reads = READS.replace("HASH", &hash.to_string());
    let folder = Folder::new(&[
        ("outside.txt", TEXT),
        ("store/Cargo.toml", MANIFEST),
        ("store/src/lib.rs", ""),
        ("store/tests/data.rs", &reads),
        ("store/data/inside.txt", ""),
        ("store/target/made.txt", TEXT),
        ("store/.git/HEAD", TEXT),
    ]);
    let store = folder.path().join("store");
    std::os::unix::fs::symlink(folder.path().join("outside.txt"), store.join("data/link.txt")).unwrap();
    std::os::unix::fs::symlink("../.git", store.join("data/git")).unwrap();
    std::os::unix::fs::symlink("../target", store.join("data/built")).unwrap();
    let found = |folder: &Folder| folder.output(&["check", "store", "--no-cache"]).2;
    assert_eq!(found(&folder), 0);
    // It would be found.
    folder.write("store/.git/HEAD", b"");
    std::fs::remove_file(store.join("data/link.txt")).unwrap();
    folder.write("store/data/link.txt", TEXT.as_bytes());
    assert_eq!(found(&folder), 1);
}
