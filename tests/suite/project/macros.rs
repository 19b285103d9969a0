//! Macros without expansion: unknown ones, without a matching rule, or beyond the recursion limit. Their effect is
//! uninterpreted and reported.

use crate::support::Folder;
use expect_test::expect;

fn program(text: &str) -> Folder {
    Folder::new(&[("main.rs", text)])
}

/// Each statement is a separate test with its own macro.
#[test]
fn statements_are_told_at_their_place() {
    let cases = [
        ("log::one!(\"hello {}\", 1);", "`log::one!`", 15),
        ("log :: two ! { 1 }", "`log::two!`", 15),
        ("{ three!(1) }", "`three!`", 17),
        ("unsafe { four!(1); }", "`four!`", 24),
        ("misfit!(b);", "`misfit!`", 15),
        ("deep!();", "`deep!`", 15),
        // A call inside a macro is reported at the outer call.
        ("outer!(true);", "`inside!`", 15),
        ("outer!({ five!(1); false });", "`five!`", 24),
        ("for _ in 0..1 { six!(1); }", "`six!`", 31),
        ("(|| { seven!(1); })();", "`seven!`", 21),
        ("let _: u8 = eight!();", "`eight!`", 27),
        ("if false { } nine!(1)", "`nine!`", 28),
        ("poll(async { ten!(1); 1 });", "`ten!`", 28),
    ];
    let mut text = "macro_rules! outer { ($c:expr) => { if $c { inside!(1); } }; } fn main() {}
macro_rules! misfit { (a) => {} }
macro_rules! deep { ($($t:tt)*) => { deep!($($t)* x) } }
fn poll(it: impl Future) { _ = std::pin::pin!(it).poll(&mut std::task::Context::from_waker(std::task::Waker::noop())); }
"
    .to_owned();
    for (number, (statement, ..)) in cases.iter().enumerate() {
        text += &format!("#[test] fn t{:0>2}() {{ {statement} }}\n", number);
    }
    let (stdout, stderr, status) = program(&text).output(&["test", "main.rs"]);
    assert_eq!(status, 0, "{stdout}{stderr}");
    for (number, (statement, name, column)) in cases.iter().enumerate() {
        let told = format!("1 unknown: {name} is not expanded (first: main.rs:{}:{})", number + 5, column + 5);
        assert!(stdout.contains(&told), "{statement}: {told}\n{stdout}");
    }
}

/// A macro with an empty expansion is not missing, nor is one that is compiled out.
#[test]
fn what_is_nothing_is_nothing() {
    let text = "macro_rules! noop { ($($t:tt)*) => {} }
macro_rules! nested { () => { noop!(); #[cfg(any())] log::info!(1); } }
fn main() {
    noop!(a b c);
    nested!();
    #[cfg(any())]
    log::info!(1);
    #[cfg(any())] { log::info!(1) }
    noop! { }
}
";
    assert_eq!(program(text).output(&["run", "main.rs"]), (String::new(), String::new(), 0));
}

/// A block that ends with such a macro has an unknown value.
#[test]
fn values_of_blocks() {
    let text = "fn value(c: bool) -> u32 { if c { return 1; } bail!(2) }
fn ends(c: bool) -> u32 { if c { return 1; } bail!(2); }
fn arm(x: Option<u32>) -> u32 { match x { None => { bail!(3) } Some(n) => n } }
fn behind_a_statement(c: bool) -> u32 { if c { assert!(c) } bail! { 3 } }
fn main() {}
#[test] fn known() { assert_eq!((value(true), ends(true), arm(Some(3))), (1, 1, 3)); }
#[test] fn t1() { assert_eq!(value(false), 0); }
#[test] fn t2() { assert_eq!(ends(false), 0); }
#[test] fn t3() { assert_eq!(arm(None), 0); }
#[test] fn t4() { assert_eq!(behind_a_statement(true), 0); }
";
    let (stdout, stderr, _) = program(text).output(&["test", "--list", "main.rs"]);
    let all = stdout + &stderr;
    assert!(all.contains("known: passed"), "{all}");
    for test in ["t1", "t2", "t3", "t4"] {
        assert!(all.contains(&format!("{test}: unknown: `bail!` is not expanded\n")), "{all}");
    }
}

const DEADLOCK: &str = "use std::{sync::Mutex, thread};
static ONE: Mutex<u32> = Mutex::new(0);
static TWO: Mutex<u32> = Mutex::new(0);
fn main() {
    thread::scope(|s| {
        s.spawn(|| {
            unknown::statement!(ONE, TWO);
            let one = ONE.lock().unwrap();
            let two = TWO.lock().unwrap();
            drop((one, two));
        });
        s.spawn(|| {
            let two = TWO.lock().unwrap();
            let one = ONE.lock().unwrap();
            drop((one, two));
        });
    });
}
";

/// The macro might not have returned: what follows is only possible.
#[test]
fn a_deadlock_after_it_is_only_possible() {
    program(DEADLOCK).expect(
        &["check", "main.rs"],
        &expect![[r#"
            stdout:
            stderr:
            main: no bug found. 1 entry (main), 190 schedules
                  reached 4 of 4 lock sites, 4 concurrently
                  1 finding not shown: it depends on unsupported code (`--possible` shows it)
                  uninterpreted: `unknown::statement!` is not expanded (main.rs:7:13)
            status: 0
        "#]],
    );
    let (stdout, _, status) = program(DEADLOCK).output(&["check", "--possible", "--format", "short", "main.rs"]);
    assert!(stdout.contains("warning[deadlock]"), "{stdout}");
    assert_eq!(status, 0);
}

/// The program is correct: the macro orders the accesses.
#[test]
fn it_may_be_what_makes_a_program_right() {
    let text = "use std::thread;
static mut COUNT: u32 = 0;
fn main() {
    let one = thread::spawn(|| {
        unsafe { COUNT += 1 };
        unknown::send!(1);
    });
    unknown::receive!();
    unsafe { COUNT += 1 };
    one.join().unwrap();
}
";
    let (stdout, stderr, status) = program(text).output(&["check", "--format", "short", "main.rs"]);
    assert_eq!((stdout.as_str(), status), ("", 0), "{stderr}");
    assert!(stderr.contains("`unknown::receive!` is not expanded (main.rs:8:5)"), "{stderr}");
}

/// At item level they might have expanded to anything.
#[test]
fn items() {
    let text = "lost::item!{ fn made() {} }
macro_rules! one { (a) => { fn one() {} }; }
one!(b);
mod inner { lost::item! { x } }
struct S;
impl S { lost::method!(); fn f(&self) {} }
trait T { lost::method!(); }
#[lost::attribute]
#[derive(Debug, Lost)]
struct U;
fn main() { S.f(); }
";
    program(text).expect(
        &["check", "main.rs"],
        &expect![[r#"
        stdout:
        stderr:
        main: no bug found. 1 entry (main), 1 schedule
              no locks, atomics, channels or awaits here
        not expanded: `#[lost::attribute]` (main.rs:8:3): there is no such macro
        not expanded: `lost::item!` (main.rs:1:1 and 1 more location): there is no such macro
        not expanded: `#[derive(Lost)]` (main.rs:9:3): there is no such macro
        not expanded: `lost::method!` (main.rs:6:10 and 1 more location): there is no such macro
        not expanded: `one!` (main.rs:3:1): unexpected token in input
        status: 0
    "#]],
    );
}

/// `?` on an unknown type: the error's type is a projection from it.
#[test]
fn types_that_are_not_found() {
    let text = "use missing::Pair;
struct Graph<A>(Vec<A>);
impl<'a, A> TryFrom<Pair<'a>> for Graph<A> where Vec<A>: TryFrom<Pair<'a>, Error = u8> {
    type Error = u8;
    fn try_from(p: Pair<'a>) -> Result<Self, u8> {
        let graphs = vec![Graph::try_from(p)?];
        Err(1)
    }
}
fn main() { println!(\"{}\", Graph::<u8>::try_from(missing::pair()).is_ok()) }
";
    let folder = Folder::new(&[("main.rs", text)]);
    let (_, stderr, status) = folder.output(&["check", "main.rs"]);
    assert!(!stderr.contains("internal error") && status == 0, "{stderr}");
}

/// While a call is typed, the findings of the rest of the function stay.
#[test]
fn a_half_typed_call_leaves_the_rest() {
    for call in ["println!(\"{}\", a.)", "assert!(*a == )", "println!(\"{} {}\", *a, *b + )", "one!(a.)"] {
        let text = format!(
            "use std::{{sync::{{Arc, Mutex}}, thread}};
macro_rules! one {{ ($($t:tt)*) => {{ $($t)* }} }}
struct Pair(Mutex<u32>, Mutex<u32>);
fn main() {{
    let pair = Arc::new(Pair(Mutex::new(0), Mutex::new(0)));
    let other = pair.clone();
    let other = thread::spawn(move || {{
        let a = other.1.lock().unwrap();
        let b = other.0.lock().unwrap();
        drop((a, b));
    }});
    let a = pair.0.lock().unwrap();
    let b = pair.1.lock().unwrap();
    {call};
    drop((a, b));
    other.join().unwrap();
}}
"
        );
        let (stdout, stderr, status) = program(&text).output(&["check", "--format", "short", "main.rs"]);
        assert_eq!(status, 1, "{call}: {stdout}{stderr}");
        assert!(stdout.contains("error[deadlock]"), "{call}: {stdout}");
    }
}

/// A macro that the expansion of another one defines is seen by the modules after it, as `Token!` of syn 1.
#[test]
fn macros_that_macros_define() {
    let library = r#"
        #[macro_use]
        mod macros {
            macro_rules! export {
                ($($rules:tt)*) => { #[macro_export] macro_rules! Number { $($rules)* } };
            }
            export! { [+] => { u16 }; [-] => { i32 }; }
        }
        mod uses {
            pub struct Numbers(pub Number![+], pub Number![-]);
        }
        pub use uses::Numbers;
    "#;
    let folder = Folder::new(&[
        ("Cargo.toml", "[package]\nname = \"app\"\nedition = \"2024\"\n[dependencies]\nlate = \"1\"\n"),
        (
            ".cargo/config.toml",
            "[source.crates-io]\nreplace-with = \"vendored\"\n[source.vendored]\ndirectory = \"vendor\"\n",
        ),
        ("vendor/late/Cargo.toml", "[package]\nname = \"late\"\nversion = \"1.0.0\"\nedition = \"2021\"\n"),
        ("vendor/late/.cargo-checksum.json", "{\"files\":{}}"),
        ("vendor/late/src/lib.rs", library),
        (
            "src/main.rs",
            "fn main() { let n = late::Numbers(3, -4); println!(\"{} {} {}\", n.0, n.1, size_of_val(&n)); }\n",
        ),
    ]);
    let (stdout, stderr, status) = folder.output(&["run"]);
    assert_eq!((stdout.as_str(), stderr.as_str(), status), ("3 -4 8\n", "", 0));
}
