//! The examples in the documentation of libraries: they run as rustdoc runs them, and show types that harnesses use.

use crate::support::Folder;
use expect_test::expect;

const MANIFEST: &str = "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";

const EXAMPLES: &str = r##"//! A shop.
//!
//! ```
//! use shop::Till;
//! # let hidden = 2;
//! let till = Till::new();
//! till.add(hidden);
//! assert_eq!(till.total(), 2);
//! ```

/** A till.
 *
 * Indented code is an example too:
 *
 *     assert_eq!(shop::Till::new().total(), 0);
 */
pub struct Till(std::cell::Cell<u32>);

impl Till {
    /// An empty one.
    ///
    /// ```should_panic
    /// assert_eq!(shop::Till::new().total(), 1);
    /// ```
    ///
    /// ```text
    /// no code
    /// ```
    ///
    /// ```ignore
    /// never();
    /// ```
    ///
    /// ```no_run
    /// loop {}
    /// ```
    ///
    /// ```compile_fail
    /// let x: u32 = "text";
    /// ```
    ///
    /// ```rust,no_such_tag
    /// fn main() -> Result<(), std::num::ParseIntError> {
    ///     let till = shop::Till::new();
    ///     till.add("3".parse()?);
    ///     assert_eq!(till.total(), 3);
    ///     Ok(())
    /// }
    /// ```
    pub fn new() -> Till {
        Till(std::cell::Cell::new(0))
    }

    /// ```
    /// use shop::Till;
    ///
    /// struct Twice(Till);
    ///
    /// let twice = Twice(Till::new());
    /// twice.add("2".parse()?);
    /// assert_eq!(twice.0.total(), 5, "this is a failure");
    ///
    /// impl Twice {
    ///     fn add(&self, amount: u32) {
    ///         self.0.add(amount * 2);
    ///     }
    /// }
    /// # Ok::<(), std::num::ParseIntError>(())
    /// ```
    pub fn add(&self, amount: u32) {
        self.0.set(self.0.get() + amount);
    }

    /// ```
    /// use shop::no_such_function;
    /// ```
    pub fn total(&self) -> u32 {
        self.0.get()
    }
}
"##;

fn library(text: &str) -> Folder {
    Folder::new(&[("Cargo.toml", MANIFEST), ("src/lib.rs", text)])
}

#[test]
fn examples_run_as_rustdoc_runs_them() {
    let (stdout, stderr, status) = library(EXAMPLES).output(&["test", "--list", "."]);
    let verdicts: Vec<&str> = stderr.lines().filter(|it| it.contains("(example")).collect();
    assert_eq!(
        verdicts,
        [
            "shop (example): passed",
            "shop::Till (example): passed",
            "shop::Till::new (example): passed",
            "shop::Till::new (example 5): passed",
            "shop::Till::add (example): FAILED: thread 'main' (1) panicked at src/lib.rs:61:9: assertion `left == right` \
             failed: this is a failure left: 4 right: 5",
        ]
    );
    assert!(stdout.starts_with("4 passed, 0 unknown, 1 failed, 0 ignored;"), "{stdout}");
    assert_eq!(status, 1);
}

#[test]
fn a_race_in_an_example_is_located_in_the_comment() {
    let folder = library(
        r"
/// Counts.
///
/// ```
/// static mut COUNT: u32 = 0;
/// let other = std::thread::spawn(|| unsafe { COUNT = shop::next(COUNT) });
/// unsafe { COUNT = shop::next(COUNT) };
/// other.join().unwrap();
/// ```
pub fn next(count: u32) -> u32 {
    count + 1
}
",
    );
    folder.expect(
        &["check", "--no-cache", "."],
        &expect![[r#"
            stdout:
            error[data-race]: thread 1 (started at lib.rs:6) writes and `main` reads `COUNT`, and nothing orders the two
             --> src/lib.rs:7:33
              |
            6 | /// let other = std::thread::spawn(|| unsafe { COUNT = shop::next(COUNT) });
              |                                                ------------------------- thread 1 writes it here
            7 | /// unsafe { COUNT = shop::next(COUNT) };
              |                                 ^^^^^ `main` reads `COUNT` here
              |
              = how it happens:
                  main                             thread 1
                1 lib.rs:6  starts thread 1
                2                                  lib.rs:6  writes COUNT
                3                                            ends
                4 lib.rs:7  reads COUNT            -- nothing orders it after step 2
              = main:     main (lib.rs:7)
              = thread 1: started at lib.rs:6 > closure (lib.rs:6)
              = why: neither holds a lock; thread 1 runs since its start at line 6, and neither waits for the other
              = certain: it depends on no unknown value. 100 of 100 schedules show it
              = replay: tsvd-check replay 1fac7b    explain: tsvd-check explain data-race
                allow:  // tsvd: allow(data-race, reason = "...")

            stderr:
            shop: 1 bug. 2 entries (1 test, 1 API item), 101 schedules
                  no locks, atomics, channels or awaits here; nothing left out
                  1 entry got one short schedule: it starts no thread, and nothing in it synchronises
            status: 1
        "#]],
    );
    let (stdout, stderr, status) = folder.output(&["replay", "1fac7b", "--format", "short"]);
    assert!(stdout.contains("src/lib.rs:7:33") && status == 1, "{stdout}{stderr}");
}

const POOL: &str = r"
//! ```
//! struct Numbers;
//!
//! impl shop::Manager for Numbers {
//!     type Item = u32;
//!     fn create(&self) -> u32 { 7 }
//! }
//!
//! let pool = shop::Pool::new(Numbers);
//! assert_eq!(pool.take(), 7);
//! ```
use std::sync::Mutex;

/// Must not use the pool: that would deadlock.
pub trait Manager {
    type Item;
    fn create(&self) -> Self::Item;
}

pub struct Pool<M: Manager> {
    manager: M,
    items: Mutex<Vec<M::Item>>,
    taken: Mutex<usize>,
}

impl<M: Manager> Pool<M> {
    pub fn new(manager: M) -> Pool<M> {
        Pool { manager, items: Mutex::new(Vec::new()), taken: Mutex::new(0) }
    }

    pub fn take(&self) -> M::Item {
        let mut items = self.items.lock().unwrap();
        *self.taken.lock().unwrap() += 1;
        items.pop().unwrap_or_else(|| self.manager.create())
    }

    pub fn give_back(&self, item: M::Item) {
        let mut taken = self.taken.lock().unwrap();
        self.items.lock().unwrap().push(item);
        *taken -= 1;
    }
}
";

/// Nothing else implements the trait.
#[test]
fn an_implementation_in_an_example_is_used() {
    let folder = library(POOL);
    folder.expect(&["check", "--no-cache", "--format", "short", "."], &expect![[r#"
        stdout:
        src/lib.rs:34:10: error[deadlock]: the caller waits for `Pool.taken` while holding `Pool.items`; thread 1 waits for `Pool.items` while holding `Pool.taken` (with src/lib.rs:40:9, src/lib.rs:39:25, src/lib.rs:33:25)
        stderr:
        shop: 1 bug. 3 entries (1 test, 2 API items), 105 schedules
              reached 4 of 4 lock sites, 4 concurrently; nothing left out
              calls from two threads: 6 of 6 pairs at once
        status: 1
    "#]]);
    let fixed = "let mut items = self.items.lock().unwrap();\n        *self.taken.lock().unwrap() += 1;";
    assert!(POOL.contains(fixed));
    let other = "*self.taken.lock().unwrap() += 1;\n        let mut items = self.items.lock().unwrap();";
    let folder = library(&POOL.replace(fixed, other));
    folder.expect(
        &["check", "--no-cache", "--possible", "--format", "short", "."],
        &expect![[r#"
            stdout:
            stderr:
            shop: no bug found. 3 entries (1 test, 2 API items), 1605 schedules
                  reached 4 of 4 lock sites, 4 concurrently; nothing left out
                  calls from two threads: 6 of 6 pairs at once
            status: 0
        "#]],
    );
}

/// No bound says which types fit together.
#[test]
fn type_arguments_are_those_of_examples() {
    let text = POOL
        .replace("impl shop::Manager for", "impl shop::Manager<u32> for")
        .replace("    type Item = u32;\n//! ", "")
        .replace("trait Manager {\n    type Item;", "trait Manager<T> {")
        .replace("Self::Item", "T")
        .replace("struct Pool<M: Manager>", "struct Pool<T, M>")
        .replace("impl<M: Manager> Pool<M>", "impl<T, M: Manager<T>> Pool<T, M>")
        .replace("-> Pool<M>", "-> Pool<T, M>")
        .replace("M::Item", "T")
        .replace("u32 { 7 }", "Number { Number(7) }")
        .replace("Manager<u32>", "Manager<Number>")
        .replace("struct Numbers;", "#[derive(PartialEq, Debug)]\n//! struct Number(u32);\n//! struct Numbers;")
        .replace("pool.take(), 7", "pool.take(), Number(7)");
    library(&text).expect(&["check", "--no-cache", "--format", "short", "."], &expect![[r#"
        stdout:
        src/lib.rs:34:10: error[deadlock]: the caller waits for `Pool.taken` while holding `Pool.items`; thread 1 waits for `Pool.items` while holding `Pool.taken` (with src/lib.rs:33:25, src/lib.rs:40:9, src/lib.rs:39:25)
        stderr:
        shop: 1 bug. 3 entries (1 test, 2 API items), 105 schedules
              reached 4 of 4 lock sites, 4 concurrently; nothing left out
              calls from two threads: 3 of 3 pairs at once
        status: 1
    "#]]);
}
