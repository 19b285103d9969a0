//! Builtin macros that make tests: rstest, test-case, serial_test.

use super::builtin_macros::app;

/// The names and results of the tests of a package, sorted.
fn results(needs: &[&str], program: &str) -> (String, String) {
    let folder = app(needs, program);
    let (stdout, stderr, _) = folder.output_in("app", &["test", "--untrusted"]);
    (stdout, stderr)
}

#[test]
fn fixtures_cases_and_values() {
    let program = r#"
        fn main() {}
        #[cfg(test)]
        mod tests {
            use rstest::{Context, fixture, rstest};
            use std::time::Duration;
            #[fixture]
            fn one() -> u32 { 1 }
            #[fixture]
            fn shop(#[default(5)] stock: u32, #[from(one)] price: u32, #[default("none")] name: &'static str) -> Shop { Shop { stock, price, name } }
            struct Shop { stock: u32, price: u32, name: &'static str }
            #[fixture]
            fn list<I>(#[default([1u8, 2])] items: I) -> usize where I: IntoIterator + Clone, I::Item: Into<u32> { items.into_iter().count() }
            #[fixture]
            #[once]
            fn shared() -> Vec<u8> { vec![3] }
            #[rstest]
            fn by_name(one: u32, _one: u32, shared: &Vec<u8>) { assert_eq!((one, _one, shared[0]), (1, 1, 3)); }
            #[rstest]
            fn with_arguments(#[with(7, 8)] shop: Shop, #[from(shop)] #[with(9)] mut other: Shop, #[with(vec![1u32; 4])] list: usize) {
                other.stock += 1;
                assert_eq!((shop.stock, shop.price, shop.name, other.stock, other.price, list), (7, 8, "none", 10, 1, 4));
            }
            #[rstest]
            #[case(1, "2", |a: u32, b| a + b)]
            #[case::named(2, "3", |a: u32, b| a * b)]
            #[should_panic(expected = "no")]
            #[case::wrong(9, "9", |_: u32, _: u32| -> u32 { panic!("no") })]
            fn cases(#[case] a: u32, #[case] b: u32, #[case] then: fn(u32, u32) -> u32, one: u32) { assert!(then(a, b) > 2 * one); }
            #[rstest]
            #[case(1)]
            #[case(2)]
            fn matrix(#[case] a: u32, #[values(10, 20)] b: u32, #[values("x", "y-z")] c: &str) { assert!(a < b && !c.is_empty()); }
            #[rstest(a, b, case(1, 2), case::second(3, 4), one(), d => [5, 6])]
            fn told(a: u32, b: u32, one: u32, d: u32) { assert!(a < b && one < d); }
            #[rstest]
            #[case((1, 2), Duration::from_secs(1))]
            fn patterns(#[case] (a, b): (u32, u32), #[case] d: Duration) { assert_eq!(u64::from(a + b), d.as_secs() + 2); }
            #[rstest]
            #[timeout(Duration::from_secs(1))]
            fn limited(one: u32) -> Result<(), String> { if one == 1 { Ok(()) } else { Err("other".into()) } }
            #[rstest]
            #[case(5)]
            #[tokio::test]
            async fn waits(#[case] n: u32, #[future] later: u32) { assert_eq!(later.await, n); }
            #[fixture]
            async fn later() -> u32 { 5 }
            #[rstest]
            #[awt]
            #[tokio::test]
            async fn awaited(#[future] later: u32) { assert_eq!(later, 5); }
            #[rstest]
            fn known(#[context] context: Context, #[by_ref] one: &u32) { assert_eq!((context.name, *one), ("known", 1)); }
        }
    "#;
    let (stdout, stderr) = results(&["rstest", "tokio"], program);
    assert!(stdout.starts_with("22 passed, 0 unknown, 0 failed"), "{stdout}{stderr}");
}

#[test]
fn test_cases() {
    let program = r#"
        fn main() {}
        #[cfg(test)]
        mod tests {
            use test_case::{test_case, test_matrix};
            #[test_case(1, 2 => 3)]
            #[test_case(-4, 4 => 0; "nothing left")]
            #[test_case(i32::MAX, 1 => panics "overflow")]
            #[test_case(5, 6 => ignore 0)]
            fn sums(a: i32, b: i32) -> i32 { a + b }
            #[test_case("7" => matches Ok(n) if n > 6)]
            #[test_case("x" => matches Err(_); "a letter")]
            #[test_case("8" => with |it: Result<u8, _>| assert_eq!(it, Ok(8)))]
            #[test_case("9" => using check)]
            fn parses(text: &str) -> Result<u8, std::num::ParseIntError> { text.parse() }
            fn check(it: Result<u8, std::num::ParseIntError>) { assert_eq!(it, Ok(9)); }
            #[test_case(2)]
            #[test_case(5; "odd")]
            fn plain(n: u32) -> Result<(), String> { if n < 5 { Ok(()) } else { Err("five".to_owned()) } }
            #[test_matrix([1, 2], [true, false], "x")]
            fn all(n: u32, flag: bool, text: &str) { assert!(n > 0 && (flag || text == "x")); }
            #[test_case(3)]
            #[tokio::test]
            async fn waits(n: u32) { assert_eq!(n, 3); }
        }
    "#;
    let (stdout, stderr) = results(&["test-case", "tokio"], program);
    assert!(stdout.starts_with("13 passed, 0 unknown, 1 failed, 1 ignored"), "{stdout}{stderr}");
    assert!(stdout.contains("tests::plain::odd") || stderr.contains("tests::plain::odd"), "{stdout}{stderr}");
}

/// An attribute that only orders tests leaves them known.
#[test]
fn serial_tests_are_known() {
    let program = r#"
        fn main() {}
        #[test]
        #[serial_test_derive::serial]
        fn one() { assert_eq!(1, 2); }
    "#;
    let (stdout, stderr) = results(&["serial_test_derive"], program);
    assert!(stdout.starts_with("0 passed, 0 unknown, 1 failed"), "{stdout}{stderr}");
}
