//! The tests of a package, judged.

#[allow(dead_code, reason = "not every test needs all of it")]
mod support;

use support::Folder;

/// The tests of a crate without std are run over std.
#[test]
fn a_crate_without_std() {
    const PLAIN: &str = "
#![no_std]

#[test]
fn adds() { assert_eq!([1u8, 2].iter().sum::<u8>(), 3); }
";
    let folder = Folder::new(&[("plain.rs", PLAIN)]);
    let (stdout, stderr, status) = folder.output(&["coverage", "plain.rs"]);
    assert!(stdout.starts_with("1 passed, 0 unknown, 0 failed, 0 ignored; "), "{stdout}{stderr}");
    assert_eq!(status, 0);
}

/// Coverage of a file's tests: what passes, fails and is ignored, and why the rest is unknown.
#[test]
fn tests_are_judged() {
    const TESTED: &str = "
pub fn double(n: u32) -> u32 { n * 2 }

#[cfg(test)]
mod tests {
    use super::double;

    #[test]
    fn doubles() { assert_eq!(double(21), 42); }
    #[test]
    fn is_wrong() { assert_eq!(double(1), 3, \"own words\"); }
    #[test]
    #[should_panic(expected = \"overflow\")]
    fn overflows() { double(u32::MAX); }
    #[test]
    #[ignore]
    fn takes_long() { loop {} }
    #[test]
    fn gives_a_result() -> Result<(), String> { \"7\".parse::<u32>().map(drop).map_err(|it| it.to_string()) }
    #[test]
    fn asks_somebody() {
        unsafe extern \"C\" { fn somebody() -> i32; }
        assert!(unsafe { somebody() } > 0);
    }
}
";
    let folder = Folder::new(&[("tested.rs", TESTED)]);
    let (stdout, stderr, status) = folder.output(&["coverage", "tested.rs", "--list"]);
    assert_eq!(status, 1, "{stdout}{stderr}");
    assert!(stdout.starts_with("3 passed, 1 unknown, 1 failed, 1 ignored; "), "{stdout}");
    assert!(stdout.contains("unknown: foreign function `somebody` (first: tested.rs:23:26)"), "{stdout}");
    assert!(stdout.contains("failed: tested::tests::is_wrong: ") && stdout.contains("own words"), "{stdout}");
    for line in ["tested::tests::doubles: passed", "tested::tests::overflows: passed"] {
        assert!(stderr.lines().any(|it| it == line), "{stderr}");
    }
    let (json, ..) = folder.output(&["coverage", "tested.rs", "--format", "json", "--test", "doubles"]);
    assert!(json.contains("\"passed\": 1") && json.contains("\"failed\": 0"), "{json}");
}
