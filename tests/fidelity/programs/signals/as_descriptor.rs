//! `signalfd`: signals that are blocked are read from a descriptor, which `poll` knows.
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::mem::MaybeUninit;
use std::os::fd::FromRawFd;
use std::thread;
use std::time::Duration;

#[repr(C)]
struct SigSet([u64; 16]);
#[repr(C)]
struct PollFd {
    fd: i32,
    events: i16,
    found: i16,
}

unsafe extern "C" {
    fn getpid() -> i32;
    fn kill(process: i32, number: i32) -> i32;
    fn sigemptyset(set: *mut SigSet) -> i32;
    fn sigaddset(set: *mut SigSet, number: i32) -> i32;
    fn sigprocmask(how: i32, new: *const SigSet, old: *mut SigSet) -> i32;
    fn signalfd(fd: i32, mask: *const SigSet, flags: i32) -> i32;
    fn poll(fds: *mut PollFd, count: u64, milliseconds: i32) -> i32;
}

const SFD_NONBLOCK: i32 = 0o4000;

fn main() {
    let mut set = MaybeUninit::<SigSet>::uninit();
    let fd = unsafe {
        sigemptyset(set.as_mut_ptr());
        sigaddset(set.as_mut_ptr(), 10);
        sigaddset(set.as_mut_ptr(), 15);
        sigprocmask(0, set.as_ptr(), std::ptr::null_mut());
        signalfd(-1, set.as_ptr(), SFD_NONBLOCK)
    };
    let mut signals = unsafe { File::from_raw_fd(fd) };
    let mut records = [0; 512];
    println!("{:?}", signals.read(&mut records).map_err(|error| error.kind() == ErrorKind::WouldBlock));
    println!("{:?}", signals.read(&mut records[..100]).map_err(|error| error.kind()));
    unsafe {
        kill(getpid(), 15);
        kill(getpid(), 10);
        kill(getpid(), 10);
    }
    let count = signals.read(&mut records).unwrap();
    let numbers: Vec<u8> = records[..count].chunks(128).map(|record| record[0]).collect();
    println!("{count} {numbers:?}");
    let sender = thread::spawn(|| {
        thread::sleep(Duration::from_millis(50));
        unsafe { kill(getpid(), 15) }
    });
    let mut asked = PollFd { fd, events: 1, found: 0 };
    println!("{} {}", unsafe { poll(&mut asked, 1, -1) }, asked.found);
    println!("{} {}", signals.read(&mut records).unwrap(), records[0]);
    println!("{}", sender.join().unwrap());
    println!("{} {}", unsafe { poll(&mut asked, 1, 0) }, asked.found);
}
