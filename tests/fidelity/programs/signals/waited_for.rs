//! A thread waits for signals that all threads block; nothing else of the program is interrupted.
use std::mem::MaybeUninit;
use std::sync::mpsc;
use std::thread;

#[repr(C)]
#[derive(Clone, Copy)]
struct SigSet([u64; 16]);
#[repr(C)]
struct Time {
    seconds: i64,
    nanos: i64,
}

unsafe extern "C" {
    fn getpid() -> i32;
    fn kill(process: i32, number: i32) -> i32;
    fn sigemptyset(set: *mut SigSet) -> i32;
    fn sigaddset(set: *mut SigSet, number: i32) -> i32;
    fn pthread_sigmask(how: i32, new: *const SigSet, old: *mut SigSet) -> i32;
    fn sigwait(set: *const SigSet, number: *mut i32) -> i32;
    fn sigtimedwait(set: *const SigSet, information: *mut [u32; 32], time: *const Time) -> i32;
}

fn main() {
    let mut set = MaybeUninit::<SigSet>::uninit();
    let set = unsafe {
        sigemptyset(set.as_mut_ptr());
        for number in [1, 10, 15] {
            sigaddset(set.as_mut_ptr(), number);
        }
        pthread_sigmask(0, set.as_ptr(), std::ptr::null_mut());
        set.assume_init()
    };
    let (sender, receiver) = mpsc::channel();
    let waiter = thread::spawn(move || {
        let mut count = 0;
        loop {
            let mut number = 0;
            assert_eq!(unsafe { sigwait(&set, &mut number) }, 0);
            count += 1;
            sender.send(number).unwrap();
            if number == 15 {
                return count;
            }
        }
    });
    for number in [10, 1, 10, 15] {
        println!("kill: {}", unsafe { kill(getpid(), number) });
        println!("heard: {}", receiver.recv().unwrap());
    }
    println!("{}", waiter.join().unwrap());
    unsafe {
        kill(getpid(), 10);
        kill(getpid(), 1);
        let mut information = [0; 32];
        let short = Time { seconds: 0, nanos: 50_000_000 };
        println!("{} {}", sigtimedwait(&set, &mut information, &short), information[0]);
        println!("{}", sigtimedwait(&set, std::ptr::null_mut(), &short));
        println!("{} {}", sigtimedwait(&set, &mut information, &short), std::io::Error::last_os_error());
    }
}
