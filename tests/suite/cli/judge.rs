//! `tsvd-check test`.

use crate::support::Folder;

/// Tests of a `no_std` crate run with std.
#[test]
fn a_crate_without_std() {
    const PLAIN: &str = "
#![no_std]

#[test]
fn adds() { assert_eq!([1u8, 2].iter().sum::<u8>(), 3); }
";
    let folder = Folder::new(&[("plain.rs", PLAIN)]);
    let (stdout, stderr, status) = folder.output(&["test", "plain.rs"]);
    assert!(stdout.starts_with("1 passed, 0 unknown, 0 failed, 0 ignored; "), "{stdout}{stderr}");
    assert_eq!(status, 0);
}

/// The verdicts on a file's tests: passed, failed, ignored, and why the rest is unknown.
#[test]
fn tests_are_judged() {
    const TESTED: &str = "
pub fn double(n: u32) -> u32 { n * 2 }
pub fn count(of: &std::sync::Mutex<u32>) -> u32 { *of.lock().unwrap() }
pub fn total(of: &std::sync::Mutex<u32>) -> u32 { *of.lock().unwrap() }

#[cfg(test)]
mod tests {
    use super::{count, double};

    #[test]
    fn counts() { assert_eq!(count(&3.into()), 3); }

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
    let (stdout, stderr, status) = folder.output(&["test", "tested.rs", "--list"]);
    assert!(stdout.contains(" bodies lowered\n1 of 2 lock sites reached, 0 concurrently\n"), "{stdout}");
    assert_eq!(status, 1, "{stdout}{stderr}");
    assert!(stdout.starts_with("4 passed, 1 unknown, 1 failed, 1 ignored; "), "{stdout}");
    assert!(stdout.contains("unknown: foreign function `somebody` (first: tested.rs:28:26)"), "{stdout}");
    assert!(stdout.contains("failed: tested::tests::is_wrong: ") && stdout.contains("own words"), "{stdout}");
    for line in ["tested::tests::doubles: passed", "tested::tests::overflows: passed"] {
        assert!(stderr.lines().any(|it| it == line), "{stderr}");
    }
    let (json, ..) = folder.output(&["test", "tested.rs", "--format", "json", "--test", "doubles"]);
    assert!(json.contains("\"passed\": 1") && json.contains("\"failed\": 0"), "{json}");
}

/// The panic message is compared with the expected text, as libtest does.
#[test]
fn expected_panics() {
    const PANICS: &str = r##"
macro_rules! by_macro {
    ($name:ident, $expected:expr) => {
        #[test]
        #[should_panic(expected = $expected)]
        fn $name() { panic!("abc {}", "def") }
    };
    ($name:ident = $expected:literal) => {
        #[test]
        #[should_panic = $expected]
        fn $name() { panic!("abc {}", "def") }
    };
}
by_macro!(yes_macro, "c d");
by_macro!(no_macro, "cd");
by_macro!(yes_macro_literal = "c d");
by_macro!(no_macro_literal = "cd");

#[test]
#[should_panic = "bc d"]
fn yes_short_form() { panic!("abc def") }
#[test]
#[should_panic(expected = "c\x64 \u{e9}",)]
fn yes_escapes() { panic!("abcd é") }
#[test]
#[should_panic(expected = r#""x""#)]
fn yes_raw() { panic!("{:?}", "x") }
#[test]
#[cfg_attr(test, should_panic(expected = "abd"))]
fn no_by_cfg() { panic!("abc") }
#[test]
#[cfg_attr(not(test), should_panic(expected = "abd"))]
fn yes_by_cfg() {}
#[test]
#[should_panic(expected = "")]
fn no_text() { std::panic::panic_any(3) }
#[test]
#[should_panic]
fn yes_no_text() { std::panic::panic_any(3) }
#[test]
#[should_panic(expected = "yx")]
fn yes_resumed() { std::panic::resume_unwind(Box::new("xyx")) }
#[test]
#[should_panic(expected = "own")]
fn yes_own_hook() {
    std::panic::set_hook(Box::new(|_| eprintln!("something else")));
    panic!("own words")
}
#[test]
#[should_panic(expected = "inner")]
fn no_of_another_thread() {
    let thread = std::thread::spawn(|| panic!("inner"));
    assert!(thread.join().is_ok(), "outer");
}
#[test]
#[should_panic(expected = "inner")]
fn no_caught() {
    let _ = std::panic::catch_unwind(|| panic!("inner"));
}
#[test]
#[should_panic(expected = "inner")]
fn no_hook_says_it() {
    std::panic::set_hook(Box::new(|_| eprintln!("panicked at inner")));
    panic!("own words")
}
"##;
    let folder = Folder::new(&[("panics.rs", PANICS)]);
    let (stdout, stderr, status) = folder.output(&["test", "panics.rs", "--list"]);
    let tests: Vec<_> = stderr.lines().filter_map(|it| it.strip_prefix("panics::")).collect();
    assert_eq!(tests.len(), 16, "{stdout}{stderr}");
    for line in tests {
        let should = if line.starts_with("yes") { "passed" } else { "FAILED: " };
        assert!(line.split_once(": ").is_some_and(|(_, says)| says.starts_with(should)), "{line}\n{stdout}");
    }
    let says = "failed: panics::no_macro: panic did not contain expected string: \"abc def\", expected \"cd\"";
    assert!(stdout.contains(says), "{stdout}");
    assert_eq!(status, 1);
    let (json, ..) = folder.output(&["test", "panics.rs", "--format", "json", "--test", "no_by_cfg"]);
    assert!(json.contains("\"failed\": 1"), "{json}");
}

/// An unknown message cannot be compared.
#[test]
fn expected_panic_of_unknown_words() {
    const UNKNOWN: &str = "
#[test]
#[should_panic(expected = \"7 words\")]
fn unknown() {
    unsafe extern \"C\" { fn somebody() -> u8; }
    let text = [unsafe { somebody() }, b' ', b'w'];
    std::panic::panic_any(unsafe { String::from_utf8_unchecked(text.to_vec()) })
}
";
    let folder = Folder::new(&[("unknown.rs", UNKNOWN)]);
    let (stdout, stderr, status) = folder.output(&["test", "unknown.rs"]);
    assert!(stdout.starts_with("0 passed, 1 unknown, 0 failed"), "{stdout}{stderr}");
    assert_eq!(status, 0);
}

/// A test runs as under `cargo test </dev/null` in an empty environment; other inputs are made up, and a test that
/// passes with them counts as passed.
#[test]
fn what_tests_are_given() {
    const GIVEN: &str = r#"
#[test]
fn passes_in_an_empty_environment() {
    assert!(std::env::var_os("HOME").is_none() && std::env::var("CARGO_PKG_VERSION").as_deref() == Ok("1.2.3"));
    assert!(std::env::var("CARGO_MANIFEST_DIR").unwrap().len() > 1);
    assert_eq!(std::env::args().count(), 1);
    assert_eq!(std::io::stdin().lines().count(), 0);
}
#[test]
fn passes_with_any_file() { let _ = std::fs::read("/srv/data.txt").map(|it| it.len()); }
#[test]
fn unknown_with_another_file() { assert_eq!(std::fs::read("/srv/data.txt").unwrap(), b"exactly this"); }
#[test]
fn passes_with_files_of_its_package() {
    assert_eq!(std::fs::read("data.txt").unwrap(), b"exactly this");
    assert!(std::fs::read("another.txt").is_err());
}
#[test]
fn passes_with_many_threads() { (0..300).for_each(|_| std::thread::spawn(|| {}).join().unwrap()) }
#[test]
fn unknown_what_is_exchanged() {
    let number: Box<std::sync::atomic::AtomicU32> = unsafe { Box::new_uninit().assume_init() };
    let order = std::sync::atomic::Ordering::SeqCst;
    assert!(number.compare_exchange(1, 2, order, order).is_ok());
}
#[runtime::test]
async fn unknown_as_it_is_not_expanded() {}
"#;
    let manifest = "[package]\nname = \"given\"\nversion = \"1.2.3\"\nedition = \"2024\"\n";
    let folder = Folder::new(&[("Cargo.toml", manifest), ("src/lib.rs", GIVEN), ("data.txt", "exactly this")]);
    let (stdout, stderr, status) = folder.output(&["test", "--list"]);
    let tests: Vec<_> = stderr.lines().filter_map(|it| it.strip_prefix("given::")).collect();
    assert_eq!(tests.len(), 7, "{stdout}{stderr}");
    for line in tests {
        let (name, says) = line.split_once(": ").unwrap();
        assert!(says.starts_with(if name.starts_with("passes") { "passed" } else { "unknown: " }), "{line}");
    }
    assert!(stdout.contains("unknown: `#[runtime::test]` is not expanded"), "{stdout}");
    assert!(stdout.contains("unknown: memory that was never written"), "{stdout}");
    assert_eq!(status, 0);
}

/// Tests that require features of a real processor, or depend on assembly, are unknown.
#[test]
fn what_only_a_processor_knows() {
    const PROCESSOR: &str = r#"
fn searcher() -> Option<u8> {
    #[cfg(target_feature = "sse2")]
    {
        Some(16)
    }
    #[cfg(not(target_feature = "sse2"))]
    {
        None
    }
}
fn plain() -> u8 { 1 }

#[test]
fn insists() { assert!(searcher().is_some() || !cfg!(target_arch = "x86_64")); }
#[test]
fn takes_what_there_is() { assert_ne!(searcher(), Some(17)); }
#[test]
fn is_wrong() { assert_eq!(plain(), 2); }
#[test]
fn asks_assembly() {
    let mut kept = 1_u64;
    let given: u64;
    unsafe { std::arch::asm!("mov {0}, 7", "inc {1}", out(reg) given, inout(reg) kept) };
    assert_eq!(given, 7);
    assert_eq!(kept, 2);
}
"#;
    let folder = Folder::new(&[("processor.rs", PROCESSOR)]);
    let (stdout, stderr, _) = folder.output(&["test", "processor.rs", "--list"]);
    assert!(stdout.starts_with("1 passed, 2 unknown, 1 failed, 0 ignored; "), "{stdout}{stderr}");
    for line in [
        "processor::insists: unknown: code that depends on `cfg(target_feature)`",
        "processor::takes_what_there_is: passed",
        "processor::asks_assembly: unknown: inline assembly",
    ] {
        assert!(stderr.lines().any(|it| it == line), "{stderr}");
    }
    assert!(stdout.contains("failed: processor::is_wrong: "), "{stdout}");
}

/// Unknown: what an unexpanded attribute would have made of a static, what a macro does whose expansion rust-analyzer
/// cannot parse, a constant that panics (rustc would reject it), and the size of a future. No test fails because of
/// these.
#[test]
fn what_is_not_understood_fails_no_test() {
    const TESTED: &str = "
#[runtime::lazy]
static LATE: u32 = panic!();

macro_rules! shifted { ($value:expr, $bits:ty, $by:ident) => { (($value as $bits<<$by) as f64) } }

#[test]
fn reads() { assert_eq!(LATE, 7); }
#[runtime::remembered]
fn next(last: &mut u32) -> u32 { *last += 1; *last }
struct Numbers;
#[runtime::logged]
impl Numbers { fn two() -> u32 { 1 } }
impl Numbers { #[runtime::logged] fn three() -> u32 { 1 } }

#[test]
fn calls() { assert_eq!(next(&mut 0), next(&mut 1)); }
#[test]
fn calls_in_impl() { assert_eq!(Numbers::two(), 2); }
#[test]
fn calls_method() { assert_eq!(Numbers::three(), 3); }
#[test]
fn calls_nothing() { assert_eq!(1, 2); }
#[test]
fn shifts() {
    let by = 3;
    assert_eq!(shifted!(2, u64, by), 16.0);
}

const fn checked(value: u32) -> u32 { if value != 7 { panic!(\"not {}\", \"seven\") } value }
const CHECKED: u32 = checked(6);
#[test]
fn uses() { assert_eq!(CHECKED, 7); }
#[test]
fn measures() { assert_eq!(size_of_val(&async {}), 1); }
";
    let folder = Folder::new(&[("tested.rs", TESTED)]);
    let (stdout, stderr, status) = folder.output(&["test", "tested.rs", "--list"]);
    assert!(stdout.starts_with("0 passed, 7 unknown, 1 failed, "), "{stdout}{stderr}");
    assert!(stderr.contains("uses: unknown: a constant or static that could not be computed\n"), "{stderr}");
    assert!(stderr.contains("measures: unknown: size of `"), "{stderr}");
    assert!(stderr.contains("reads: unknown: `#[runtime::lazy]` is not expanded\n"), "{stderr}");
    assert!(stderr.contains("calls: unknown: `#[runtime::remembered]` is not expanded\n"), "{stderr}");
    for name in ["calls_in_impl", "calls_method"] {
        assert!(stderr.contains(&format!("{name}: unknown: `#[runtime::logged]` is not expanded\n")), "{stderr}");
    }
    assert!(stderr.contains("shifts: unknown: a macro expands to unsupported code\n"), "{stderr}");
    assert!(stdout.contains("failed: tested::calls_nothing: "), "{stdout}");
    assert_eq!(status, 1);
}
