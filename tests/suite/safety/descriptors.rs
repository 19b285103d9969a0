//! Programs whose calls of the operating system ask for much work or memory each: the bound on steps ends them too.

use crate::support::Folder;

const HEAD: &str = r#"
use std::ptr::{null, null_mut};

#[repr(C, packed)]
struct Event { events: u32, data: u64 }
#[derive(Clone, Copy)]
#[repr(C)]
struct Poll { fd: i32, events: i16, revents: i16 }

unsafe extern "C" {
    fn accept(fd: i32, address: *mut u8, length: *mut u32) -> i32;
    fn bind(fd: i32, address: *const u8, length: u32) -> i32;
    fn close(fd: i32) -> i32;
    fn connect(fd: i32, address: *const u8, length: u32) -> i32;
    fn dup(fd: i32) -> i32;
    fn epoll_create1(flags: i32) -> i32;
    fn epoll_ctl(epoll: i32, operation: i32, fd: i32, event: *mut Event) -> i32;
    fn eventfd(value: u32, flags: i32) -> i32;
    fn getaddrinfo(name: *const u8, service: *const u8, hints: *const u8, result: *mut *mut u8) -> i32;
    fn getenv(name: *const u8) -> *const u8;
    fn listen(fd: i32, count: i32) -> i32;
    fn pipe(ends: *mut i32) -> i32;
    fn poll(descriptors: *mut Poll, count: u64, milliseconds: i32) -> i32;
    fn read(fd: i32, bytes: *mut u8, count: usize) -> isize;
    fn sendto(fd: i32, bytes: *const u8, count: usize, flags: i32, address: *const u8, length: u32) -> isize;
    fn setsockopt(fd: i32, level: i32, name: i32, value: *const u8, length: u32) -> i32;
    fn socket(family: i32, kind: i32, protocol: i32) -> i32;
    fn socketpair(family: i32, kind: i32, protocol: i32, ends: *mut i32) -> i32;
    fn timerfd_create(clock: i32, flags: i32) -> i32;
    fn timerfd_settime(fd: i32, flags: i32, new: *const u64, old: *mut u64) -> i32;
    fn write(fd: i32, bytes: *const u8, count: usize) -> isize;
}

fn add(epoll: i32, fd: i32) -> i32 {
    let mut event = Event { events: 1, data: 0 };
    unsafe { epoll_ctl(epoll, 1, fd, &mut event) }
}

fn address(port: u16) -> [u8; 16] {
    let [high, low] = port.to_be_bytes();
    [2, 0, high, low, 127, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]
}

fn main() {
    std::thread::spawn(|| {}).join().unwrap();
    unsafe { attack() }
}
"#;

/// Those that end at the bound on steps.
const ENDLESS: [(&str, &str); 9] = [
    // 200 threads wait for a set, each a thousand times, and the set has 700 entries to look at.
    (
        "waiters",
        r#"unsafe fn attack() {
    let (event, set) = (eventfd(0, 0), epoll_create1(0));
    for _ in 0..700 { add(set, dup(event)); }
    let mut word = 1_u64;
    write(event, (&raw const word).cast(), 8);
    read(event, (&raw mut word).cast(), 8);
    std::thread::scope(|scope| {
        for _ in 0..200 {
            scope.spawn(move || {
                let mut all = [Poll { fd: set, events: 1, revents: 0 }; 1024];
                poll(all.as_mut_ptr(), 1024, 1000);
            });
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
        let mut ends = [0; 2];
        pipe(ends.as_mut_ptr());
        loop {
            write(ends[1], [1].as_ptr(), 1);
            read(ends[0], [0].as_mut_ptr(), 1);
        }
    });
}"#,
    ),
    // A connection has the options of its listener, and there can be many of both.
    (
        "options",
        r#"unsafe fn attack() {
    let listener = socket(2, 1, 0);
    bind(listener, address(8080).as_ptr(), 16);
    listen(listener, 4096);
    for name in 0..5000 {
        setsockopt(listener, 1, name, [1; 256].as_ptr(), 256);
    }
    loop {
        let client = socket(2, 1, 0);
        connect(client, address(8080).as_ptr(), 16);
        let accepted = accept(listener, null_mut(), null_mut());
        setsockopt(accepted, 1, 1, [1; 4].as_ptr(), 4);
        close(client);
    }
}"#,
    ),
    // Sockets that are closed again.
    (
        "sockets",
        r#"unsafe fn attack() {
    loop {
        let it = socket(2, 1, 0);
        bind(it, address(0).as_ptr(), 16);
        listen(it, 1);
        close(it);
    }
}"#,
    ),
    // Timers that are closed again.
    (
        "timers",
        r#"unsafe fn attack() {
    let (first, soon, mut ticks) = (timerfd_create(1, 0), [1_u64, 1, 0, 1], 0_u64);
    loop {
        let other = timerfd_create(1, 0);
        timerfd_settime(other, 0, soon.as_ptr(), null_mut());
        close(other);
        timerfd_settime(first, 0, soon.as_ptr(), null_mut());
        read(first, (&raw mut ticks).cast(), 8);
    }
}"#,
    ),
    // Messages without bytes.
    (
        "messages",
        r#"unsafe fn attack() {
    let (to, from) = (socket(2, 2, 0), socket(2, 2, 0));
    bind(to, address(7000).as_ptr(), 16);
    loop { sendto(from, [0].as_ptr(), 0, 0, address(7000).as_ptr(), 16); }
}"#,
    ),
    // A byte is taken from the front of a full buffer.
    (
        "buffers",
        r#"unsafe fn attack() {
    let mut ends = [0; 2];
    socketpair(1, 1, 0, ends.as_mut_ptr());
    let all = vec![0; 200_000];
    write(ends[0], all.as_ptr(), all.len());
    loop {
        read(ends[1], [0].as_mut_ptr(), 1);
        write(ends[0], [0].as_ptr(), 1);
    }
}"#,
    ),
    // A name of megabytes whose last byte is unknown is looked at with each call.
    (
        "names",
        r#"unsafe fn attack() {
    let mut name = vec![b'a'; 1_000_000];
    name.push(*getenv(c"HOME".as_ptr().cast()));
    name.push(0);
    loop { getenv(name.as_ptr()); }
}"#,
    ),
    // Visitors are served by new listeners, which have visitors.
    (
        "visitors",
        r#"unsafe fn attack() {
    let mut all: Vec<i32> = Vec::new();
    loop {
        while all.len() < 500 {
            let it = socket(2, 1, 0);
            bind(it, address(0).as_ptr(), 16);
            listen(it, 5);
            all.push(it);
        }
        for it in all.drain(..) {
            close(accept(it, null_mut(), null_mut()));
            close(it);
        }
    }
}"#,
    ),
    // Each set of a layer watches each of the next: as many paths as the fourth power.
    (
        "layers",
        r#"unsafe fn attack() {
    let mut last: Vec<i32> = vec![eventfd(0, 0)];
    for _ in 0..5 {
        let layer: Vec<i32> = (0..40).map(|_| epoll_create1(0)).collect();
        for set in &layer {
            for inner in &last {
                assert!(add(*set, *inner) == 0);
            }
        }
        last = layer;
    }
    assert!(add(epoll_create1(0), last[0]) != 0);
}"#,
    ),
];

/// Those that end by themselves.
const OTHERS: [(&str, &str); 3] = [
    // A chain that grows at its lower end.
    (
        "chain",
        r#"unsafe fn attack() {
    let mut last = epoll_create1(0);
    let fits = |last: &mut i32| {
        let next = epoll_create1(0);
        add(std::mem::replace(last, next), next) == 0
    };
    let mut count = 1;
    while fits(&mut last) {
        count += 1;
    }
    assert!(count == 5);
}"#,
    ),
    // Times at the end of their range.
    (
        "times",
        r#"unsafe fn attack() {
    let (timer, mut ticks) = (timerfd_create(1, 0), 0_u64);
    for times in [[u64::MAX >> 1, 999_999_999, u64::MAX >> 1, 999_999_999], [0, 1, u64::MAX >> 1, 0], [u64::MAX; 4]] {
        timerfd_settime(timer, 0, times.as_ptr(), null_mut());
        std::thread::sleep(std::time::Duration::from_secs(1 << 40));
        if times != [u64::MAX; 4] {
            read(timer, (&raw mut ticks).cast(), 8);
        }
    }
    std::thread::sleep(std::time::Duration::MAX);
}"#,
    ),
    // Lengths and addresses at the end of their ranges.
    (
        "lengths",
        r#"unsafe fn attack() {
    let (long, internet) = (1_usize << 60, socket(2, 2, 0));
    sendto(internet, long as *const u8, long, 0, address(9).as_ptr(), 16);
    let mut ends = [0; 2];
    socketpair(1, 1, 0, ends.as_mut_ptr());
    write(ends[0], long as *const u8, long);
}"#,
    ),
];

/// They share a package, so that it is loaded once.
#[test]
fn work_of_calls_is_bounded() {
    let mut files = vec![("Cargo.toml".to_owned(), "[package]\nname = \"attacks\"\nedition = \"2024\"".to_owned())];
    for (name, attack) in ENDLESS.iter().chain(&OTHERS) {
        files.push((format!("src/bin/{name}.rs"), format!("{HEAD}{attack}")));
    }
    let files: Vec<_> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let (stdout, stderr, status) =
        Folder::new(&files).output(&["check", "--untrusted", "--no-cache", "--memory", "2GB", "--runs", "1"]);
    assert_eq!(status, 0, "{stdout}{stderr}");
    assert!(stderr.contains("the bound on steps (9 of "), "{stderr}");
    for bad in ["memory", "internal error", "panic"] {
        assert!(!stderr.contains(bad), "{stderr}");
    }
}
