//! Possible findings, and comments that suppress findings.

use crate::support::Folder;
use expect_test::expect;

/// A race, with one comment before each access and one at its line's end.
fn race(above_first: &str, at_first: &str, above_second: &str, at_second: &str) -> String {
    format!(
        "use std::thread;\n\nstatic mut COUNT: u64 = 0;\n\nfn main() {{\n    let worker = thread::spawn(|| {{\n        \
         {above_first}\n        unsafe {{ COUNT = 1 }} {at_first}\n    }});\n    {above_second}\n    \
         unsafe {{ COUNT = 2 }} {at_second}\n    worker.join().unwrap();\n}}\n"
    )
}

const ALLOW: &str = "// tsvd: allow(data-race, reason = \"a count that nobody reads\")";

#[test]
fn a_comment_above_or_behind_either_of_both_sites_allows_a_finding() {
    for at in 0..4 {
        let mut comments = [""; 4];
        comments[at] = ALLOW;
        let [above_first, at_first, above_second, at_second] = comments;
        let folder = Folder::new(&[("count.rs", &race(above_first, at_first, above_second, at_second))]);
        assert_eq!(
            folder.shown(&["check", "count.rs"]),
            "stdout:\nstderr:\ncount: no bug found. 1 entry (main), 100 schedules\n       no locks, atomics, channels or \
             awaits here; nothing left out\n       1 finding allowed by comments\nstatus: 0\n",
            "{at}"
        );
    }
}

/// Two files with a race on a field and one on a static; `{n}` is where a comment may stand.
const ITEMS: [(&str, &str); 2] = [
    (
        "src/main.rs",
        "{0}
mod stats;

{1}
static mut COUNT: u64 = 0;

{2}
fn count() {
    unsafe { COUNT += 1 }
}

fn main() {
    let worker = std::thread::spawn(|| {
        count();
        stats::TOTAL.add();
    });
    {3}
    unsafe {
        COUNT += 1;
    }
    stats::TOTAL.add();
    worker.join().unwrap();
}
",
    ),
    (
        "src/stats.rs",
        "use std::cell::UnsafeCell;

{4}
pub struct Total {
    pub name: &'static str,
    {5}
    number: UnsafeCell<u64>,
}

unsafe impl Sync for Total {}

{6}
pub static TOTAL: Total = Total { name: \"all\", number: UnsafeCell::new(0) };

{7}
impl Total {
    pub fn add(&self) {
        unsafe { *self.number.get() += 1 }
    }
}
",
    ),
];

#[test]
fn a_comment_above_an_item_covers_what_is_in_it_or_declared_there() {
    // The races that are left with the comment at each place.
    let (count, total) = ("COUNT", "Total.number");
    let left = [count, total, total, total, count, count, count, count];
    for (at, left) in left.into_iter().enumerate() {
        let files = ITEMS.map(|(path, text)| {
            let with = text.replace(&format!("{{{at}}}"), ALLOW);
            (path, (0..8).fold(with, |text, other| text.replace(&format!("{{{other}}}"), "")))
        });
        let manifest = "[package]\nname = \"shop\"\nedition = \"2024\"\n";
        let folder = Folder::new(&[("Cargo.toml", manifest), (files[0].0, &files[0].1), (files[1].0, &files[1].1)]);
        let args = ["check", "--format", "short", "--no-cache", "--no-api", "--runs", "20"];
        let (stdout, stderr, status) = folder.output(&args);
        let found: Vec<&str> = [count, total].into_iter().filter(|it| stdout.contains(&format!("`{it}`"))).collect();
        assert_eq!((found, status), (vec![left], 1), "{at}: {stdout}{stderr}");
        assert!(stderr.contains("1 finding allowed by comments") && !stderr.contains("not needed"), "{at}: {stderr}");
    }
}

#[test]
fn a_comment_that_an_editor_inserted_is_in_effect_and_asks_for_its_reason() {
    let inserted = "// tsvd: allow(data-race, reason = \"TODO: say why this is safe\")";
    let folder = Folder::new(&[("count.rs", &race(inserted, "", "", ""))]);
    folder.expect(
        &["check", "count.rs"],
        &expect![[r#"
        stdout:
        stderr:
        count.rs:7:9: warning: `allow(data-race)` still needs its reason: say why this is safe
        count: no bug found. 1 entry (main), 100 schedules
               no locks, atomics, channels or awaits here; nothing left out
               1 finding allowed by comments
        status: 0
    "#]],
    );
}

#[test]
fn a_comment_that_is_wrong_allows_nothing() {
    let unknown = "// tsvd: allow(data-rice, reason = \"what?\")";
    let without_reason = "// tsvd: allow(data-race, reason = \"...\")";
    let folder = Folder::new(&[("count.rs", &race(unknown, without_reason, "// tsvd: skip", ""))]);
    folder.expect(&["check", "count.rs", "--format", "short"], &expect![[r#"
        stdout:
        count.rs:8:18: error[data-race]: thread 1 (started at count.rs:6) writes `COUNT` here, which `main` writes, and nothing orders the two (with count.rs:11:14)
        stderr:
        count.rs:7:9: warning: unknown rule `data-rice`: this comment suppresses nothing
        count.rs:8:30: warning: `allow(data-race)` has no reason: this comment suppresses nothing
        count.rs:10:5: warning: expected `tsvd: allow(rule, reason = "...")`
        count: 1 bug. 1 entry (main), 100 schedules
               no locks, atomics, channels or awaits here; nothing left out
        status: 1
    "#]]);
}

#[test]
fn a_comment_that_allows_nothing_is_noted_where_all_was_checked() {
    let deadlock = "// tsvd: allow(deadlock, reason = \"of another rule\")";
    let folder = Folder::new(&[("count.rs", &race(deadlock, ALLOW, "", ALLOW))]);
    folder.expect(
        &["check", "count.rs"],
        &expect![[r#"
        stdout:
        stderr:
        count: no bug found. 1 entry (main), 100 schedules
               no locks, atomics, channels or awaits here; nothing left out
               1 finding allowed by comments
        count.rs:7:9: note: unused `allow(deadlock)`: it suppresses no finding
        status: 0
    "#]],
    );
    // Another program may need it.
    let (_, stderr, status) = folder.output(&["check", "count.rs", "--bin", "count"]);
    assert!(status == 0 && !stderr.contains("was not needed"), "{stderr}");
}

/// An unknown function decides whether the threads meet.
const POSSIBLE: &str = "\
use std::thread;

unsafe extern \"C\" {
    fn is_enabled() -> bool;
    fn limit() -> u32;
}

static mut COUNT: u32 = 0;

fn main() {
    let worker = thread::spawn(|| unsafe { COUNT += 1 });
    if unsafe { is_enabled() && COUNT < limit() && COUNT < limit() } {
        println!(\"small\");
    }
    worker.join().unwrap();
}
";

#[test]
fn what_rests_on_the_unknown_is_shown_on_demand_and_never_counts() {
    let folder = Folder::new(&[("limit.rs", POSSIBLE)]);
    folder.expect(
        &["check", "limit.rs"],
        &expect![[r#"
            stdout:
            stderr:
            limit: no bug found. 1 entry (main), 333 schedules
                   no locks, atomics, channels or awaits here
                   1 finding not shown: it depends on unsupported code (`--possible` shows it)
                   uninterpreted: foreign function `limit` (limit.rs:12:41 and 1 more location)
                                  foreign function `is_enabled` (limit.rs:12:17)
            status: 0
        "#]],
    );
    folder.expect(&["check", "limit.rs", "--possible"], &expect![[r#"
        stdout:
        warning[data-race]: thread 1 (started at limit.rs:11) updates and `main` reads `COUNT`, and nothing orders the two
          --> limit.rs:12:33
           |
        11 |     let worker = thread::spawn(|| unsafe { COUNT += 1 });
           |                                            ---------- thread 1 updates it here
        12 |     if unsafe { is_enabled() && COUNT < limit() && COUNT < limit() } {
           |                                 ^^^^^^^^^^^^^^^ `main` reads `COUNT` here
           |
           = main:     main (limit.rs:12)
           = thread 1: started at limit.rs:11 > closure (limit.rs:11)
           = possible: it depends on unsupported code
           = explain: tsvd-check explain data-race
             allow:  // tsvd: allow(data-race, reason = "...")

        stderr:
        limit: no bug found. 1 entry (main), 333 schedules
               no locks, atomics, channels or awaits here
               1 possible finding shown, not counted as bugs
               uninterpreted: foreign function `limit` (limit.rs:12:41 and 1 more location)
                              foreign function `is_enabled` (limit.rs:12:17)
        status: 0
    "#]]);
    // A comment suppresses it too.
    let allowed = POSSIBLE.replace("    if unsafe", &format!("    {ALLOW}\n    if unsafe"));
    let folder = Folder::new(&[("limit.rs", &allowed)]);
    folder.expect(
        &["check", "limit.rs", "--possible"],
        &expect![[r#"
            stdout:
            stderr:
            limit: no bug found. 1 entry (main), 333 schedules
                   no locks, atomics, channels or awaits here
                   uninterpreted: foreign function `limit` (limit.rs:13:41 and 1 more location)
                                  foreign function `is_enabled` (limit.rs:13:17)
            status: 0
        "#]],
    );
}

#[test]
fn causes_of_unknown_values_are_told_with_the_most_frequent_first() {
    let folder = Folder::new(&[(
        "many.rs",
        "unsafe extern \"C\" {\n    fn a() -> u32;\n    fn b() -> u32;\n    fn c() -> u32;\n}\n\nfn main() {\n    \
         let found = unsafe { [a(), b(), b(), c(), c(), c()] };\n    let list: Vec<u32> = unknown(&found);\n    \
         let more = also_unknown!(list);\n    std::process::exit(2);\n}\n",
    )]);
    folder.expect(
        &["check", "many.rs"],
        &expect![[r#"
        stdout:
        stderr:
        many: no bug found. 1 entry (main), 1 schedule
              no locks, atomics, channels or awaits here
              uninterpreted: foreign function `c` (many.rs:8:42 and 2 more locations)
                             foreign function `b` (many.rs:8:32 and 1 more location)
                             foreign function `a` (many.rs:8:27)
                             2 more causes
        status: 0
    "#]],
    );
}

#[test]
fn unknown_bytes_are_printed_as_question_marks() {
    let folder = Folder::new(&[(
        "prints.rs",
        "use std::io::Write;\n\nunsafe extern \"C\" {\n    fn letter() -> u8;\n}\n\nfn main() {\n    \
         let text = [b'<', unsafe { letter() }, unsafe { letter() }, b'>', b'\\n'];\n    \
         std::io::stdout().write_all(&text).unwrap();\n}\n",
    )]);
    folder.expect(
        &["run", "prints.rs"],
        &expect![[r#"
        stdout:
        <??>
        stderr:
        uninterpreted: 2 (first: prints.rs:8:32 foreign function `letter`)
        status: 0
    "#]],
    );
}
