//@ edition: 2024
//! Descriptors, as the C library's functions handle them.
use std::ffi::{CStr, CString, c_char, c_int, c_short, c_ulong, c_void};
use std::io;

#[repr(C)]
struct Range {
    start: *const c_void,
    len: usize,
}

#[repr(C)]
struct Polled {
    descriptor: c_int,
    events: c_short,
    found: c_short,
}

unsafe extern "C" {
    fn open(path: *const c_char, flags: c_int, ...) -> c_int;
    fn close(descriptor: c_int) -> c_int;
    fn dup(descriptor: c_int) -> c_int;
    fn dup2(from: c_int, to: c_int) -> c_int;
    fn fcntl(descriptor: c_int, command: c_int, ...) -> c_int;
    fn pipe2(descriptors: *mut c_int, flags: c_int) -> c_int;
    fn poll(descriptors: *mut Polled, count: c_ulong, milliseconds: c_int) -> c_int;
    fn read(descriptor: c_int, into: *mut c_void, len: usize) -> isize;
    fn write(descriptor: c_int, from: *const c_void, len: usize) -> isize;
    fn writev(descriptor: c_int, ranges: *const Range, count: c_int) -> isize;
    fn preadv(descriptor: c_int, ranges: *const Range, count: c_int, offset: i64) -> isize;
    fn pread(descriptor: c_int, into: *mut c_void, len: usize, offset: i64) -> isize;
    fn lseek(descriptor: c_int, offset: i64, from: c_int) -> i64;
    fn ftruncate(descriptor: c_int, len: i64) -> c_int;
    fn access(path: *const c_char, how: c_int) -> c_int;
    fn unlink(path: *const c_char) -> c_int;
    fn mkdir(path: *const c_char, mode: u32) -> c_int;
    fn rmdir(path: *const c_char) -> c_int;
    fn openat(folder: c_int, path: *const c_char, flags: c_int, ...) -> c_int;
    fn getcwd(into: *mut c_char, len: usize) -> *mut c_char;
    fn chdir(path: *const c_char) -> c_int;
    fn fchdir(descriptor: c_int) -> c_int;
}

const O_RDWR: c_int = 2;
const O_CREAT: c_int = 0o100;
const O_EXCL: c_int = 0o200;
const O_APPEND: c_int = 0o2000;
const O_NONBLOCK: c_int = 0o4000;
const O_DIRECTORY: c_int = 0o200000;
const O_CLOEXEC: c_int = 0o2000000;

/// A result, and why it is -1.
fn told(result: impl Into<i64>) -> String {
    match result.into() {
        -1 => format!("-1 {:?}", io::Error::last_os_error().raw_os_error()),
        result => result.to_string(),
    }
}

fn show(what: &str, results: &[String]) {
    println!("{what}: {}", results.join(", "));
}

unsafe fn files(folder: &str) {
    let path = CString::new(format!("{folder}/file")).unwrap();
    unsafe {
        let file = open(path.as_ptr(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600);
        show("again", &[told(open(path.as_ptr(), O_RDWR | O_CREAT | O_EXCL, 0o600)), told(access(path.as_ptr(), 2))]);
        show("written", &[told(write(file, b"hello".as_ptr().cast(), 5) as i64), told(lseek(file, 0, 1))]);
        show("flags", &[told(fcntl(file, 3) & 3), told(fcntl(file, 1)), told(fcntl(file, 2, 0)), told(fcntl(file, 1))]);
        let (twin, other) = (dup(file), fcntl(file, 1030, 50));
        show("twins", &[told(twin - file), told(other), told(fcntl(twin, 1)), told(fcntl(other, 1))]);
        show(
            "seek",
            &[told(lseek(twin, -3, 2)), told(lseek(file, 0, 1)), told(lseek(file, -9, 1)), told(lseek(file, 0, 9))],
        );
        show("append", &[told(fcntl(other, 4, O_APPEND)), told(fcntl(file, 3) & O_APPEND)]);
        let parts = [Range { start: b", ".as_ptr().cast(), len: 2 }, Range { start: b"world".as_ptr().cast(), len: 5 }];
        show("parts", &[told(writev(file, parts.as_ptr(), 2) as i64), told(lseek(file, 0, 1))]);
        let (mut one, mut two) = ([0u8; 3], [0u8; 20]);
        let ranges =
            [Range { start: one.as_mut_ptr().cast(), len: 3 }, Range { start: two.as_mut_ptr().cast(), len: 20 }];
        show("at", &[told(preadv(file, ranges.as_ptr(), 2, 4) as i64)]);
        println!("{:?} {:?}", str::from_utf8(&one), CStr::from_bytes_until_nul(&two));
        show("past", &[told(pread(file, two.as_mut_ptr().cast(), 5, 100) as i64), told(lseek(file, 0, 1))]);
        show("cut", &[told(ftruncate(file, 2)), told(lseek(file, 0, 2)), told(ftruncate(file, -1))]);
        show("closed", &[told(close(file)), told(close(file)), told(read(file, two.as_mut_ptr().cast(), 5) as i64)]);
        show(
            "moved",
            &[told(dup2(twin, 60)), told(dup2(twin, twin) - twin), told(dup2(file, 61)), told(lseek(60, 0, 0))],
        );
        show(
            "ends",
            &[
                told(close(twin)),
                told(close(other)),
                told(read(60, two.as_mut_ptr().cast(), 5) as i64),
                told(close(60)),
            ],
        );
        show("gone", &[told(unlink(path.as_ptr())), told(unlink(path.as_ptr())), told(access(path.as_ptr(), 0))]);
    }
}

unsafe fn folders(folder: &str) {
    unsafe {
        let path = CString::new(folder).unwrap();
        let opened = open(path.as_ptr(), O_DIRECTORY | O_CLOEXEC);
        let file = openat(opened, c"inner".as_ptr(), O_RDWR | O_CREAT | O_CLOEXEC, 0o600);
        show(
            "inner",
            &[
                told(openat(file, c"x".as_ptr(), 0)),
                told(openat(-7, c"x".as_ptr(), 0)),
                told(openat(opened, c"".as_ptr(), 0)),
            ],
        );
        show(
            "folder",
            &[told(read(opened, (&raw mut *&mut [0u8; 8]).cast(), 8) as i64), told(fchdir(file)), told(fchdir(opened))],
        );
        show(
            "here",
            &[told(access(c"inner".as_ptr(), 0)), told(unlink(c"./inner".as_ptr())), told(chdir(c"inner".as_ptr()))],
        );
        let mut text = [0u8; 200];
        println!("{} {}", getcwd(text.as_mut_ptr().cast(), 5).is_null(), told(-1));
        println!("{}", CStr::from_ptr(getcwd(text.as_mut_ptr().cast(), 200)).to_bytes() == folder.as_bytes());
        show("done", &[told(close(file)), told(close(opened)), told(chdir(c"..".as_ptr()))]);
    }
}

unsafe fn pipes() {
    unsafe {
        let mut ends = [0; 2];
        show("pipe", &[told(pipe2(ends.as_mut_ptr(), O_NONBLOCK | O_CLOEXEC))]);
        let mut text = [0u8; 8];
        show(
            "empty",
            &[
                told(read(ends[0], text.as_mut_ptr().cast(), 8) as i64),
                told(lseek(ends[0], 0, 0)),
                told(fcntl(ends[0], 3) & 3),
            ],
        );
        show(
            "wrong",
            &[
                told(read(ends[1], text.as_mut_ptr().cast(), 8) as i64),
                told(write(ends[0], text.as_ptr().cast(), 8) as i64),
            ],
        );
        let look = |milliseconds| {
            let polled = |descriptor, events| Polled { descriptor, events, found: -1 };
            let mut all = [polled(ends[0], 1), polled(ends[1], 4), polled(-1, 5), polled(1000, 5)];
            let count = poll(all.as_mut_ptr(), 3, milliseconds);
            let bad = poll(&mut all[3], 1, 0);
            println!("{count} {bad} {:?}", all.map(|it| it.found));
        };
        look(-1);
        show("sent", &[told(write(ends[1], b"abc".as_ptr().cast(), 3) as i64)]);
        look(10);
        let mut alone = Polled { descriptor: ends[0], events: 4, found: 0 };
        show("nothing", &[told(poll(&mut alone, 1, 1)), told(poll(&mut alone, 1, 0))]);
        // How much fits is a matter of pages.
        let sent = write(ends[1], vec![0; 70_000].as_ptr().cast(), 70_000);
        show(
            "full",
            &[(sent > 60_000 && sent < 70_000).to_string(), told(write(ends[1], text.as_ptr().cast(), 8) as i64)],
        );
        look(0);
        show("left", &[told(close(ends[1])), told(read(ends[0], text.as_mut_ptr().cast(), 3) as i64)]);
        println!("{:?}", str::from_utf8(&text[..3]));
        let mut rest = vec![1u8; 80_000];
        let last = read(ends[0], rest.as_mut_ptr().cast(), 80_000);
        show("rest", &[(last == sent).to_string(), told(read(ends[0], rest.as_mut_ptr().cast(), 1) as i64)]);
        alone.events = 1;
        show("over", &[told(poll(&mut alone, 1, -1)), told(alone.found), told(close(ends[0]))]);
    }
}

fn main() {
    let folder = std::env::temp_dir().join("tsvd-fidelity-descriptors");
    let folder = folder.to_str().unwrap();
    let path = CString::new(folder).unwrap();
    unsafe {
        println!("{}", told(mkdir(path.as_ptr(), 0o700)));
        files(folder);
        folders(folder);
        println!("{}", told(rmdir(path.as_ptr())));
        pipes();
    }
}
