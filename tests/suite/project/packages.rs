//! Lessons from published packages: included files, vendored dependencies, intended races of dependencies.

use crate::support::Folder;
use expect_test::expect;
use std::process::Command;

/// A package with a vendored `seqlock`, without network.
fn vendored(main: &str) -> Folder {
    Folder::new(&[
        (
            "Cargo.toml",
            "[package]\nname = \"clock\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[dependencies]\nseqlock = \"1\"\n",
        ),
        (
            ".cargo/config.toml",
            "[source.crates-io]\nreplace-with = \"vendored\"\n[source.vendored]\ndirectory = \"vendor\"\n",
        ),
        ("vendor/seqlock/Cargo.toml", "[package]\nname = \"seqlock\"\nversion = \"1.0.0\"\nedition = \"2024\"\n"),
        ("vendor/seqlock/.cargo-checksum.json", "{\"files\":{}}"),
        ("vendor/seqlock/src/lib.rs", SEQLOCK),
        ("src/main.rs", main),
    ])
}

/// As in published crates: a reader reads first, volatile, and then checks whether there was a write.
const SEQLOCK: &str = r"
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicUsize, Ordering, fence};

pub struct SeqLock<T> {
    stamp: AtomicUsize,
    value: UnsafeCell<T>,
}

unsafe impl<T: Copy + Send> Sync for SeqLock<T> {}

impl<T: Copy> SeqLock<T> {
    pub fn new(value: T) -> SeqLock<T> {
        SeqLock { stamp: AtomicUsize::new(0), value: UnsafeCell::new(value) }
    }

    pub fn read(&self) -> T {
        loop {
            let stamp = self.stamp.load(Ordering::Acquire);
            let value = unsafe { self.value.get().read_volatile() };
            fence(Ordering::Acquire);
            if stamp % 2 == 0 && self.stamp.load(Ordering::Relaxed) == stamp {
                return value;
            }
            std::hint::spin_loop();
        }
    }

    pub fn write(&self, value: T) {
        let stamp = self.stamp.fetch_add(1, Ordering::Acquire);
        fence(Ordering::Release);
        unsafe { *self.value.get() = value };
        self.stamp.store(stamp + 2, Ordering::Release);
    }

    pub fn as_ptr(&self) -> *mut T {
        self.value.get()
    }
}
";

#[test]
fn a_dependency_knows_what_it_reads_volatile() {
    let folder = vendored(
        r#"
        use seqlock::SeqLock;
        use std::thread;
        static NOW: std::sync::LazyLock<SeqLock<[u64; 3]>> = std::sync::LazyLock::new(|| SeqLock::new([0; 3]));
        fn main() {
            let ticker = thread::spawn(|| NOW.write([1, 2, 3]));
            let seen = NOW.read();
            println!("{}", seen == [0; 3] || seen == [1, 2, 3]);
            ticker.join().unwrap();
        }
        "#,
    );
    folder.expect(
        &["check"],
        &expect![[r#"
            stdout:
            stderr:
            clock: no bug found. 1 entry (main), 246 schedules
                   no locks, atomics, channels or awaits here; nothing left out
                   1 finding in dependencies, not shown
            status: 0
        "#]],
    );
}

#[test]
fn what_the_program_does_itself_is_told() {
    let folder = vendored(
        r#"
        use seqlock::SeqLock;
        use std::thread;
        static NOW: std::sync::LazyLock<SeqLock<u64>> = std::sync::LazyLock::new(|| SeqLock::new(0));
        fn main() {
            let ticker = thread::spawn(|| NOW.write(1));
            println!("{}", unsafe { *NOW.as_ptr() } < 2);
            ticker.join().unwrap();
        }
        "#,
    );
    let (stdout, stderr, status) = folder.output(&["check", "--format", "short"]);
    assert!(status == 1 && stdout.contains("src/main.rs:7"), "{stdout}{stderr}");
}

#[test]
fn files_that_are_no_modules_are_none_of_our_business() {
    let folder = Folder::new(&[
        ("Cargo.toml", "[package]\nname = \"words\"\nversion = \"0.1.0\"\nedition = \"2024\"\n"),
        ("src/main.rs", "mod broken;\nfn main() {}\n"),
        ("src/broken.rs", "fn f() { let = 1; }\n"),
        ("src/words.tera.rs", "{% for word in words %} {{ word }}, {% endfor %}\n"),
        ("tests/data/half.rs", "fn half( {\n"),
    ]);
    folder.expect(
        &["check"],
        &expect![[r#"
        stdout:
        stderr:
        src/broken.rs:1:13: syntax error, code skipped: expected pattern
        words: no bug found. 1 entry (main), 1 schedule
               no locks, atomics, channels or awaits here
        status: 0
    "#]],
    );
}

#[test]
fn of_many_syntax_errors_the_first_are_told() {
    let folder = Folder::new(&[("noise.rs", format!("fn main() {{}}\n{}", "fn ( {} }\n".repeat(200)).as_str())]);
    let (_, stderr, _) = folder.output(&["check", "noise.rs"]);
    assert!(stderr.lines().count() < 30 && stderr.contains("more syntax errors after this one"), "{stderr}");
}

/// The status is as usual, and rustup, which may install what a folder asks for, installs nothing.
#[test]
fn a_toolchain_that_is_not_there() {
    let race = "static mut N: u32 = 0;\nfn main() {\n    let other = std::thread::spawn(|| unsafe { N += 1 });\n    unsafe { N += 1 }\n    other.join().unwrap();\n}\n";
    for (toolchain, program, status, line) in [
        ("[toolchain]\nchannel = \"1.3.0\"\n", "fn main() {}\n", 0, "old: no bug found"),
        ("[toolchain]\nchannel = \"1.85\"\ncomponents = [\"rust-src\"]\n", race, 1, "old: 1 bug"),
    ] {
        let folder = Folder::new(&[
            ("Cargo.toml", "[package]\nname = \"old\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"),
            ("rust-toolchain.toml", toolchain),
            ("src/main.rs", program),
        ]);
        let installed = || Command::new("rustup").args(["toolchain", "list"]).current_dir("/").output().ok();
        let before = installed().map(|it| it.stdout);
        let (code, stderr) = checked_without_toolchain(&folder);
        assert!(code == Some(status) && stderr.contains(line), "{code:?}: {stderr}");
        assert_eq!(installed().map(|it| it.stdout), before);
    }
}

/// Status and standard error of a check in which the folder's toolchain counts.
fn checked_without_toolchain(folder: &Folder) -> (Option<i32>, String) {
    // cargo passes its toolchain on, which overrides the folder's; without a default toolchain there is no fallback.
    let mut command = Command::new(env!("CARGO_BIN_EXE_tsvd-check"));
    command.args(["check", "--no-cache"]).current_dir(folder.path()).env_remove("CARGO");
    command.env_remove("RUSTUP_AUTO_INSTALL");
    let usual = Command::new("cargo").arg("--version").current_dir("/").env_remove("RUSTUP_TOOLCHAIN").output();
    if usual.is_ok_and(|output| output.status.success()) {
        command.env_remove("RUSTUP_TOOLCHAIN");
    }
    let output = command.output().expect("the program was built");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// In a dependency their types are known.
#[test]
fn parameters_without_names_of_a_dependency() {
    let old = "pub enum Kind { Plain, Twice }
pub trait Shape {
    fn scaled(&self, Kind, &[u32]) -> u32;
}
pub fn both(shape: &Shape) -> u32 {
    shape.scaled(Kind::Plain, &[1, 2]) + shape.scaled(Kind::Twice, &[3])
}
";
    let main = "struct Square(u32);
impl old::Shape for Square {
    fn scaled(&self, kind: old::Kind, by: &[u32]) -> u32 {
        let times = match kind { old::Kind::Plain => 1, old::Kind::Twice => 2 };
        self.0 * by.iter().sum::<u32>() * times
    }
}
fn main() { println!(\"{}\", old::both(&Square(2))); }
";
    let folder = Folder::new(&[
        (
            "app/Cargo.toml",
            "[package]\nname = \"app\"\nedition = \"2021\"\n[dependencies]\nold = { path = \"../old\" }\n",
        ),
        ("app/src/main.rs", main),
        ("old/Cargo.toml", "[package]\nname = \"old\"\nversion = \"0.1.0\"\n"),
        ("old/src/lib.rs", old),
    ]);
    let (stdout, stderr, status) = folder.output(&["run", "app"]);
    assert_eq!((stdout.as_str(), stderr.as_str(), status), ("18\n", "", 0));
}

/// In edition 2015, parameters of trait functions may have no names.
#[test]
fn parameters_without_names() {
    let folder = Folder::new(&[
        ("Cargo.toml", "[package]\nname = \"old\"\nversion = \"0.1.0\"\n"),
        (
            "src/main.rs",
            "trait Shape { fn scale(&mut self, u32); fn area(&self) -> u32; }
struct Square(u32);
impl Shape for Square {
    fn scale(&mut self, by: u32) { self.0 *= by }
    fn area(&self) -> u32 { self.0 * self.0 }
}
fn main() {
    let mut square = Square(2);
    square.scale(3);
    println!(\"{}\", square.area());
    let broken = |it, | ;
}
",
        ),
    ]);
    folder.expect(
        &["check", "--no-cache", "."],
        &expect![[r#"
        stdout:
        stderr:
        src/main.rs:11:24: syntax error, code skipped: expected expression
        old: no bug found. 1 entry (main), 1 schedule
             no locks, atomics, channels or awaits here
        status: 0
    "#]],
    );
    folder.expect(
        &["run", "."],
        &expect![[r#"
        stdout:
        36
        stderr:
        src/main.rs:11:24: syntax error, code skipped: expected expression
        status: 0
    "#]],
    );
}
