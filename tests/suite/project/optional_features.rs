//! Features that are off by default are switched on in a second pass.

use crate::support::Folder;
use expect_test::expect;

const MANIFEST: &str = "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";

const LIBRARY: &str = r#"
pub struct Price(pub u32);

impl Price {
    pub fn twice(&self) -> u32 {
        self.0 * 2
    }
}

#[cfg(feature = "sync")]
pub mod shared {
    use std::sync::Mutex;

    #[derive(Default)]
    pub struct Till {
        total: Mutex<u32>,
        count: Mutex<u32>,
    }

    impl Till {
        pub fn add(&self, amount: u32) {
            let mut total = self.total.lock().unwrap();
            *self.count.lock().unwrap() += 1;
            *total = total.wrapping_add(amount);
        }

        pub fn mean(&self) -> u32 {
            let count = self.count.lock().unwrap();
            self.total.lock().unwrap().checked_div(*count).unwrap_or_default()
        }
    }
}

#[cfg(all(feature = "sync", feature = "single"))]
compile_error!("choose `sync` or `single`");

#[cfg(feature = "nightly")]
compile_error!("not with this compiler");
"#;

fn package(features: &str) -> Folder {
    Folder::new(&[("Cargo.toml", &format!("{MANIFEST}{features}")), ("src/lib.rs", LIBRARY)])
}

const SHORT: [&str; 5] = ["check", "--no-cache", "--format", "short", "."];

#[test]
fn what_features_add_is_checked() {
    let folder = package("[features]\nsync = []\nnightly = []\n");
    folder.expect(&SHORT, &expect![[r#"
        stdout:
        src/lib.rs:23:14: error[deadlock]: the caller waits for `Till.count` while holding `Till.total`; thread 1 waits for `Till.total` while holding `Till.count` (with src/lib.rs:22:29, src/lib.rs:29:13, src/lib.rs:28:25)
        stderr:
        shop: no bug found. 1 entry (API item), 4 schedules
              no locks, atomics, channels or awaits here; nothing left out
        shop with feature `sync`: 1 bug. 2 entries (API items), 104 schedules
              only what this adds was explored
              calls from two threads: 3 of 3 pairs at once
        status: 1
    "#]]);
    let (stdout, stderr, status) = folder.output(&["check", "--no-cache", "--format", "json", "."]);
    assert_eq!(status, 1, "{stderr}");
    let report: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    let features = |part: &serde_json::Value| part["packages"][0]["summary"]["features"].clone();
    let parts = report["parts"].as_array().unwrap();
    assert_eq!(parts.iter().map(features).collect::<Vec<_>>(), [serde_json::Value::Null, serde_json::json!(["sync"])]);
    // With features of one's own choice there is no second pass.
    folder.expect(
        &["check", "--no-cache", "--format", "short", "--no-default-features", "."],
        &expect![[r#"
        stdout:
        stderr:
        shop: no bug found. 1 entry (API item), 4 schedules
              no locks, atomics, channels or awaits here; nothing left out
        status: 0
    "#]],
    );
}

#[test]
fn features_that_do_not_fit_together_are_checked_alone() {
    package("[features]\nsync = []\nsingle = []\n").expect(&SHORT, &expect![[r#"
        stdout:
        src/lib.rs:23:14: error[deadlock]: the caller waits for `Till.count` while holding `Till.total`; thread 1 waits for `Till.total` while holding `Till.count` (with src/lib.rs:22:29, src/lib.rs:29:13, src/lib.rs:28:25)
        stderr:
        shop: no bug found. 1 entry (API item), 4 schedules
              no locks, atomics, channels or awaits here; nothing left out
        shop with feature `sync`: 1 bug. 2 entries (API items), 104 schedules
              only what this adds was explored
              calls from two threads: 3 of 3 pairs at once
        status: 1
    "#]]);
}

#[test]
fn features_that_need_missing_packages_are_named() {
    let features = "[features]\nsync = [\"dep:no-such-package-here\"]\n[dependencies]\nno-such-package-here = { version = \"1\", optional = true }\n";
    package(features).expect(
        &SHORT,
        &expect![[r#"
            stdout:
            stderr:
            shop: no bug found. 1 entry (API item), 4 schedules
                  no locks, atomics, channels or awaits here; nothing left out
            note: not checked with feature `sync`: the package refuses that, or needs packages that are missing
            status: 0
        "#]],
    );
}

/// Features that need no package are checked without the missing one.
#[test]
fn features_without_packages_are_checked_without_them() {
    let features = "[features]\nsync = []\nother = [\"more\"]\nmore = [\"dep:no-such-package-here\"]\n[dependencies]\n\
                    no-such-package-here = { version = \"1\", optional = true }\n";
    package(features).expect(&SHORT, &expect![[r#"
        stdout:
        src/lib.rs:23:14: error[deadlock]: the caller waits for `Till.count` while holding `Till.total`; thread 1 waits for `Till.total` while holding `Till.count` (with src/lib.rs:22:29, src/lib.rs:29:13, src/lib.rs:28:25)
        stderr:
        shop: no bug found. 1 entry (API item), 4 schedules
              no locks, atomics, channels or awaits here; nothing left out
        shop with feature `sync`: 1 bug. 2 entries (API items), 104 schedules
              only what this adds was explored
              calls from two threads: 3 of 3 pairs at once
        status: 1
    "#]]);
}

/// A finding of a second pass is shown again with its features, and a report that is kept has both passes.
#[test]
fn findings_are_replayed_and_kept() {
    let folder = package("[features]\nsync = []\n");
    let first = folder.output(&["check", "."]);
    let replay = first.0.split("tsvd-check replay ").nth(1).and_then(|it| it.split_whitespace().next()).unwrap();
    let (stdout, stderr, status) = folder.output(&["replay", replay, "."]);
    assert!(status == 1 && stdout.contains("error[deadlock]"), "{stdout}{stderr}");
    assert_eq!(folder.output(&["check", "."]), first);
}

#[test]
fn one_test_that_a_feature_adds_has_the_name_of_its_package() {
    let library = "pub fn one() -> u32 { 1 }\n#[test]\nfn is_one() { assert_eq!(one(), 1) }\n#[cfg(feature = \"two\")]\n#[test]\nfn is_two() { assert_eq!(one() + 1, 2) }\n";
    let manifest = format!("{MANIFEST}[features]\ntwo = []\n");
    let (_, stderr, _) = Folder::new(&[("Cargo.toml", &manifest), ("src/lib.rs", library)]).output(&SHORT);
    assert!(stderr.contains("shop with feature `two`: no bug found. 1 entry (test), 1 schedule"), "{stderr}");
}

#[test]
fn features_are_left_out_if_the_steps_are_spent() {
    let mut library = "#[cfg(feature = \"sync\")]\npub fn more() -> u32 { 1 }\nfn turn() -> u64 {\n    (0..120_000).fold(0, |sum, it| std::hint::black_box(sum ^ it))\n}\n".to_owned();
    for at in 0..40 {
        library.push_str(&format!(
            "#[test]\nfn t{at}() {{\n    let other = std::thread::spawn(turn);\n    turn();\n    other.join().unwrap();\n}}\n"
        ));
    }
    let manifest = format!("{MANIFEST}[features]\nsync = []\n");
    let folder = Folder::new(&[("Cargo.toml", &manifest), ("src/lib.rs", &library)]);
    let checked = |arguments: &[&str]| folder.output(&[&SHORT[..], &["--effort", "low"], arguments].concat()).1;
    let told = "features that are off were not checked: the steps of this effort were spent without them";
    let stderr = checked(&[]);
    assert!(stderr.contains(told) && !stderr.contains("with feature"), "{stderr}");
    // There is no second pass with features of one's own choice.
    assert!(!checked(&["--all-features"]).contains(told));
}
