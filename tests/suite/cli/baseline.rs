//! Baselines: findings that a team knows do not count.

use crate::support::Folder;
use expect_test::expect;

const COUNT: &str = "\
static mut COUNT: u64 = 0;

fn main() {
    let worker = std::thread::spawn(|| unsafe { COUNT += 1 });
    unsafe { COUNT += 1 }
    worker.join().unwrap();
}
";

/// The same with another race.
fn with_total() -> String {
    let text = COUNT
        .replace("COUNT += 1 }\n", "COUNT += 1; TOTAL += 1 }\n")
        .replace("|| unsafe { COUNT += 1 }", "|| unsafe { COUNT += 1; TOTAL += 1 }");
    format!("// A line more.\nstatic mut TOTAL: u64 = 0;\n{text}")
}

#[test]
fn what_is_in_the_baseline_does_not_count() {
    let folder = Folder::new(&[("count.rs", COUNT), ("out/.keep", "")]);
    let file = "out/baseline.json";
    let (_, stderr, status) = folder.output(&["check", "count.rs", "--write-baseline", file]);
    assert!(status == 0 && stderr.ends_with("note: 1 finding in the baseline out/baseline.json\n"), "{stderr}");
    let written = std::fs::read_to_string(folder.path().join(file)).unwrap();
    expect![[r#"
        {
          "version": 1,
          "findings": [
            {"fingerprint":"data-race:COUNT:main|main::{closure}","rule":"data-race","at":"count.rs:4:49","title":"`main` and thread 1 (started at count.rs:4) both update `COUNT`, and nothing orders the two"}
          ]
        }
    "#]]
    .assert_eq(&written);
    folder.expect(
        &["check", "count.rs", "--format", "short", "--baseline", file],
        &expect![[r#"
        stdout:
        stderr:
        count: no bug found. 1 entry (main), 100 schedules
               no locks, atomics, channels or awaits here; nothing left out
               1 finding in the baseline
        status: 0
    "#]],
    );
    // The same finding some lines below, and a new one.
    folder.write("count.rs", with_total().as_bytes());
    let (stdout, stderr, status) = folder.output(&["check", "count.rs", "--format", "short", "--baseline", file]);
    assert!(stdout.lines().count() == 1 && stdout.contains("`TOTAL`") && status == 1, "{stdout}");
    assert!(stderr.contains("count: 1 bug.") && stderr.contains("1 finding in the baseline"), "{stderr}");
    // Reports in files leave it out too, and a cached report has both.
    let (stdout, _, status) = folder.output(&["check", "count.rs", "--format", "json", "--baseline", file]);
    assert!(stdout.contains("\"in_baseline\": 1") && !stdout.contains("data-race:COUNT") && status == 1, "{stdout}");
    let (stdout, ..) = folder.output(&["check", "count.rs", "--format", "short"]);
    assert_eq!(stdout.lines().count(), 2, "{stdout}");
}

#[test]
fn an_entry_that_is_gone_is_told_and_fails_on_demand() {
    let folder = Folder::new(&[("count.rs", COUNT)]);
    folder.output(&["check", "count.rs", "--write-baseline", "known.json"]);
    folder.write("count.rs", b"fn main() {}\n");
    let args = ["check", "count.rs", "--baseline", "known.json"];
    folder.expect(&args, &expect![[r#"
        stdout:
        stderr:
        count: no bug found. 1 entry (main), 1 schedule
               no locks, atomics, channels or awaits here; nothing left out
        warning: known.json: 1 entry was not found any more; `--write-baseline known.json` removes what is gone:
            data-race at count.rs:4:49: `main` and thread 1 (started at count.rs:4) both update `COUNT`, and nothing orders the two
        status: 0
    "#]]);
    let (_, _, status) = folder.output(&[&args[..], &["--strict-baseline"]].concat());
    assert_eq!(status, 1);
    // Not everything was checked.
    let (_, stderr, status) = folder.output(&[&args[..], &["--strict-baseline", "--bin", "count"]].concat());
    assert!(status == 0 && !stderr.contains("not found any more"), "{stderr}");
    let (_, _, status) = folder.output(&[&args[..], &["--write-baseline", "known.json"]].concat());
    assert_eq!(status, 0);
    let (_, stderr, status) = folder.output(&[&args[..], &["--strict-baseline"]].concat());
    assert!(status == 0 && !stderr.contains("warning"), "{stderr}");
}

#[test]
fn what_is_no_baseline_is_told_before_anything_is_checked() {
    let folder = Folder::new(&[
        ("count.rs", COUNT),
        ("broken.json", "{\n  \"version\": 1,\n  oops"),
        ("new.json", "{\"version\": 2, \"findings\": []}"),
    ]);
    for (file, why) in [
        ("absent.json", "there is no baseline absent.json; `--write-baseline absent.json` makes it"),
        (
            "broken.json",
            "broken.json is no baseline: key must be a string at line 3 column 3; `--write-baseline broken.json` makes a new one",
        ),
        ("new.json", "new.json has version 2, but this program reads version 1"),
    ] {
        let (stdout, stderr, status) = folder.output(&["check", "count.rs", "--baseline", file]);
        assert_eq!((stdout.as_str(), stderr, status), ("", format!("error: {why}\n"), 2));
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(folder.path().join("count.rs"), folder.path().join("link.json")).unwrap();
        let (_, stderr, status) = folder.output(&["check", "count.rs", "--write-baseline", "link.json"]);
        assert!(status == 2 && stderr.contains("link.json cannot be written: it is a link"), "{stderr}");
    }
    assert_eq!(std::fs::read_to_string(folder.path().join("count.rs")).unwrap(), COUNT);
}
