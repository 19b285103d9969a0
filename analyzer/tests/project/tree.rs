//! The embedded sources.

#[allow(dead_code)]
#[path = "../../embedded/trim.rs"]
mod trim;

use analyzer::std_tree;

#[test]
fn trimming_moves_no_line_and_changes_no_token() {
    let source = r##"
/// doc
#[doc = concat!("a]", stringify!(x))]
#[doc = $text]
fn f<'a>(x: &'a str) -> char { // no "string
    let a = "// kept \" /* kept */"; /* gone /* nested */
    */ let b = r#"// kept "quoted" "#; let c = '"'; let d = '\''; let e = 'é'; br"// kept";
    /// in a body
    x/*apart*/y
}
"##;
    let expected = r##"


#[doc = $text]
fn f<'a>(x: &'a str) -> char {
    let a = "// kept \" /* kept */";
 let b = r#"// kept "quoted" "#; let c = '"'; let d = '\''; let e = 'é'; br"// kept";

    x y
}
"##;
    let trimmed = trim::trim(source);
    let lines = |text: &str| text.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>();
    assert_eq!(lines(&trimmed).len(), lines(source).len());
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(words(&trimmed), words(expected));
}

/// Attributes that a macro matches must stay.
#[test]
fn unread_attributes_are_taken_out_of_code() {
    let source = r##"
#[stable(feature = "a]", since = "1")] #[must_use = "x"] #[track_caller]
#[inline(always)] fn f(#[inline] a: u8) { if !(a > 0) { #[inline] fn g() {} } }
macro_rules! m {
    (#[stable(x)] $(#[inline] $n:ident)*) => { #[inline] fn $n() {} call! { #[inline] fn h() {} } };
    ($f:literal) => { #[stable(feature = $f)] #[deprecated(since = "1")] struct S; }
}
m! { #[stable(x)] #[inline] a }
impl A { #[must_use] fn k() { m!(#[inline] (#[inline] b)) } }
"##;
    let expected = r##"
#[track_caller]
fn f( a: u8) { if !(a > 0) { fn g() {} } }
macro_rules! m {
    (#[stable(x)] $(#[inline] $n:ident)*) => { fn $n() {} call! { #[inline] fn h() {} } };
    ($f:literal) => { #[stable(feature = $f)] struct S; }
}
m! { #[stable(x)] #[inline] a }
impl A { fn k() { m!(#[inline] (#[inline] b)) } }
"##;
    let trimmed = trim::trim(source);
    assert_eq!(trimmed.lines().count(), source.lines().count());
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(words(&trimmed), words(expected));
}

#[test]
fn the_tree_holds_what_is_needed_and_no_more() {
    let files = std_tree::files();
    let has = |path: &str| files.iter().any(|(name, _)| name == path);
    for path in ["core/src/lib.rs", "std/src/sys/pal/unix/mod.rs", "hashbrown/src/lib.rs", "libc/src/lib.rs"] {
        assert!(has(path), "{path}");
    }
    assert!(!files.iter().any(|(name, _)| name.contains("/windows/") || name.contains("/tests")));
    let bytes: usize = files.iter().map(|(_, text)| text.len()).sum();
    assert!((4_000_000..12_000_000).contains(&bytes), "{bytes}");
}
