//! Programs whose calls on paths ask for much work or memory each: bounds end them too.

use crate::support::Folder;

const HEAD: &str = r#"
unsafe extern "C" {
    fn access(path: *const u8, mode: i32) -> i32;
    fn close(descriptor: i32) -> i32;
    fn fdopendir(descriptor: i32) -> *mut u8;
    fn mkdir(path: *const u8, mode: u32) -> i32;
    fn open(path: *const u8, flags: i32, ...) -> i32;
    fn readdir64(folder: *mut u8) -> *mut u8;
    fn rmdir(path: *const u8) -> i32;
}

/// Writes a number into a path.
fn number(path: &mut [u8], mut number: u32) {
    for byte in path {
        *byte = b'a' + (number & 15) as u8;
        number >>= 4;
    }
}

/// A path with very many folders.
fn long() -> Vec<u8> {
    let mut path = b"/tmp/aaaa".to_vec();
    path.extend_from_slice("/a".repeat(2030).as_bytes());
    path.push(0);
    path
}

fn many_files() {
    let mut path = *b"/tmp/q/aaaa\0";
    unsafe {
        mkdir(b"/tmp/q\0".as_ptr(), 0o777);
        for n in 0..10_000 {
            number(&mut path[7..11], n);
            close(open(path.as_ptr(), 0o102, 0o666));
        }
    }
}

fn main() {
    std::thread::spawn(|| {}).join().unwrap();
    unsafe { attack() }
}
"#;

const ATTACKS: [(&str, &str); 4] = [
    // Each makes 2,000 folders known.
    (
        "deep",
        "unsafe fn attack() {
    let mut path = long();
    for n in 0..30_000 { number(&mut path[5..9], n); mkdir(path.as_ptr(), 0o777); }
}",
    ),
    // Each looks up 2,000 folders.
    ("lookups", "unsafe fn attack() { let path = long(); loop { access(path.as_ptr(), 0); } }"),
    // Each list has 10,000 names.
    (
        "lists",
        "unsafe fn attack() {
    many_files();
    let folder = open(b\"/tmp/q\\0\".as_ptr(), 0o200000);
    loop { readdir64(fdopendir(folder)); }
}",
    ),
    // Each looks for what is in the folder.
    ("removals", "unsafe fn attack() { many_files(); loop { rmdir(b\"/tmp/q\\0\".as_ptr()); } }"),
];

/// Each call reads a file of 4 MiB again, where there is no room to keep it.
const TESTS: &str = "
#[test]
fn sizes() {
    let mut all = Vec::new();
    for _ in 0..100_000_000 {
        all.push(std::fs::metadata(\"zeros\").is_ok());
    }
}
";

#[test]
fn work_on_paths_is_bounded() {
    let mut files = vec![
        ("Cargo.toml".to_owned(), "[package]\nname = \"attacks\"\nedition = \"2024\"".to_owned()),
        ("tests/sizes.rs".to_owned(), TESTS.to_owned()),
        ("zeros".to_owned(), "\0".repeat(4 << 20)),
    ];
    for (name, attack) in ATTACKS {
        files.push((format!("src/bin/{name}.rs"), format!("{HEAD}{attack}")));
    }
    let files: Vec<_> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let args = ["check", "--untrusted", "--no-cache", "--memory", "3GB", "--runs", "1"];
    let (stdout, stderr, status) = Folder::new(&files).output(&args);
    assert_eq!(status, 0, "{stdout}{stderr}");
    for bad in ["memory limit", "internal error", "panic"] {
        assert!(!stderr.contains(bad), "{stderr}");
    }
    for bound in ["the bound on steps", "the bound on heap memory"] {
        assert!(stderr.contains(bound), "{stderr}");
    }
}
