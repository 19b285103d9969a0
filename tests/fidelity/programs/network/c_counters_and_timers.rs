//! `eventfd` and `timerfd`, read like files and waited for with `poll`.
use std::ffi::{c_int, c_long, c_short, c_uint, c_ulong};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, FromRawFd};
use std::thread;
use std::time::{Duration, Instant};

#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Time {
    seconds: i64,
    nanoseconds: c_long,
}

#[repr(C)]
#[derive(Default)]
struct Setting {
    interval: Time,
    value: Time,
}

#[repr(C)]
struct Polled {
    descriptor: c_int,
    events: c_short,
    found: c_short,
}

unsafe extern "C" {
    fn eventfd(initial: c_uint, flags: c_int) -> c_int;
    fn timerfd_create(clock: c_int, flags: c_int) -> c_int;
    fn timerfd_settime(timer: c_int, flags: c_int, new: *const Setting, old: *mut Setting) -> c_int;
    fn poll(descriptors: *mut Polled, count: c_ulong, milliseconds: c_int) -> c_int;
}

const NONBLOCK: c_int = 0o4000;
const SEMAPHORE: c_int = 1;

fn counter(initial: c_uint, flags: c_int) -> File {
    // SAFETY: a new descriptor, which nobody else owns.
    unsafe { File::from_raw_fd(eventfd(initial, flags | 0o2000000)) }
}

fn take(mut from: &File) -> Result<u64, io::ErrorKind> {
    let mut bytes = [0; 8];
    from.read_exact(&mut bytes).map_err(|error| error.kind())?;
    Ok(u64::from_ne_bytes(bytes))
}

fn add(mut to: &File, number: u64) -> Result<usize, io::ErrorKind> {
    to.write(&number.to_ne_bytes()).map_err(|error| error.kind())
}

fn is_readable(file: &File, milliseconds: c_int) -> bool {
    let mut polled = Polled { descriptor: file.as_raw_fd(), events: 1, found: 0 };
    // SAFETY: one element.
    unsafe { poll(&mut polled, 1, milliseconds) == 1 && polled.found & 1 != 0 }
}

fn main() {
    let events = counter(3, NONBLOCK);
    println!("{:?} {:?}", take(&events), take(&events));
    println!("{:?} {:?} {:?}", add(&events, 5), add(&events, 6), take(&events));
    println!("{:?} {:?}", add(&events, u64::MAX - 1), add(&events, 1));
    println!("{:?} {:?}", add(&events, u64::MAX), take(&events));
    println!("{}", is_readable(&events, 0));
    println!("{:?}", (&events).read(&mut [0; 4]).map_err(|error| error.kind()));

    let semaphore = counter(2, NONBLOCK | SEMAPHORE);
    println!("{:?} {:?} {:?}", take(&semaphore), take(&semaphore), take(&semaphore));

    // One that blocks, told by another thread.
    let signal = counter(0, 0);
    let telling = signal.try_clone().unwrap();
    let teller = thread::spawn(move || {
        thread::sleep(Duration::from_millis(5));
        add(&telling, 42)
    });
    println!("{} {:?} {:?}", is_readable(&signal, -1), take(&signal), teller.join().unwrap());

    // SAFETY: a new descriptor, which nobody else owns.
    let timer = unsafe { File::from_raw_fd(timerfd_create(1, 0o2000000)) };
    let start = Instant::now();
    let milliseconds = |count: i64| Time { seconds: 0, nanoseconds: count * 1_000_000 };
    let once = Setting { interval: Time::default(), value: milliseconds(10) };
    let set = |setting: &Setting| {
        let mut old = Setting::default();
        // SAFETY: both structures live through the call.
        let result = unsafe { timerfd_settime(timer.as_raw_fd(), 0, setting, &mut old) };
        (result, old.interval.nanoseconds, old.value.seconds != 0 || old.value.nanoseconds != 0)
    };
    println!("{:?} {}", set(&once), is_readable(&timer, 0));
    println!("{:?} {}", take(&timer), start.elapsed() >= Duration::from_millis(10));
    println!("{}", is_readable(&timer, 3));

    let start = Instant::now();
    println!("{:?}", set(&Setting { interval: milliseconds(4), value: milliseconds(2) }).0);
    let mut ticks = 0;
    while ticks < 4 {
        ticks += take(&timer).unwrap();
    }
    println!("{}", start.elapsed() >= Duration::from_millis(14));
    println!("{:?}", set(&Setting::default()));
    println!("{}", is_readable(&timer, 6));
}
