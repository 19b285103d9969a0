//! A handler ends some waits for the system, and others go on: by `SA_RESTART`, or because std asks again.
use std::io::{Error, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

#[repr(C)]
struct SigAction {
    handler: usize,
    mask: [u64; 16],
    flags: i32,
    restorer: usize,
}
#[repr(C)]
struct Time {
    seconds: i64,
    nanos: i64,
}
#[repr(C)]
struct PollFd {
    fd: i32,
    events: i16,
    found: i16,
}
unsafe extern "C" {
    fn sigaction(number: i32, new: *const SigAction, old: *mut SigAction) -> i32;
    fn pthread_self() -> usize;
    fn pthread_kill(thread: usize, number: i32) -> i32;
    fn nanosleep(time: *const Time, rest: *mut Time) -> i32;
    fn poll(fds: *mut PollFd, count: u64, milliseconds: i32) -> i32;
    fn read(fd: i32, bytes: *mut u8, count: usize) -> isize;
    fn pause() -> i32;
}

const SIGUSR1: i32 = 10;
const SA_RESTART: i32 = 0x1000_0000;
static COUNT: AtomicU32 = AtomicU32::new(0);

extern "C" fn handler(_: i32) {
    COUNT.fetch_add(1, Ordering::Relaxed);
}

fn handle(flags: i32) {
    let action = SigAction { handler: handler as *const () as usize, mask: [0; 16], flags, restorer: 0 };
    let mut old = SigAction { handler: 0, mask: [0; 16], flags: 0, restorer: 0 };
    assert_eq!(unsafe { sigaction(SIGUSR1, &action, &mut old) }, 0);
}

/// Does something that waits, with a signal after a while, and something else after another while.
fn meanwhile<T>(then: impl FnOnce() + Send, wait: impl FnOnce() -> T) -> T {
    let thread = unsafe { pthread_self() };
    thread::scope(|scope| {
        scope.spawn(move || {
            thread::sleep(Duration::from_millis(100));
            assert_eq!(unsafe { pthread_kill(thread, SIGUSR1) }, 0);
            thread::sleep(Duration::from_millis(100));
            then();
        });
        wait()
    })
}

fn main() {
    let (mut here, mut there) = UnixStream::pair().unwrap();
    let fd = here.as_raw_fd();
    let one = || {
        let mut byte = [0];
        let count = unsafe { read(fd, byte.as_mut_ptr(), 1) };
        let error = if count < 0 { Error::last_os_error().to_string() } else { String::new() };
        (count, byte[0], error)
    };
    handle(0);
    println!("{:?}", meanwhile(|| there.write_all(b"a").unwrap(), one));
    println!("{:?}", one());
    handle(SA_RESTART);
    println!("{:?}", meanwhile(|| there.write_all(b"b").unwrap(), one));
    handle(0);
    let mut text = [0; 2];
    meanwhile(|| there.write_all(b"cd").unwrap(), || here.read_exact(&mut text).unwrap());
    println!("{text:?}");
    handle(SA_RESTART);
    let mut asked = PollFd { fd, events: 1, found: 0 };
    let found = meanwhile(|| {}, || (unsafe { poll(&mut asked, 1, -1) }, Error::last_os_error().kind()));
    println!("{found:?}");
    let (mut rest, long) = (Time { seconds: 0, nanos: 0 }, Time { seconds: 5, nanos: 0 });
    let slept = meanwhile(|| {}, || unsafe { nanosleep(&long, &mut rest) });
    println!("{slept} {}", rest.seconds);
    let start = Instant::now();
    meanwhile(|| {}, || thread::sleep(Duration::from_millis(400)));
    println!("{}", start.elapsed() >= Duration::from_millis(400));
    println!("{}", meanwhile(|| {}, || unsafe { pause() }));
    println!("{}", COUNT.load(Ordering::Relaxed));
}
