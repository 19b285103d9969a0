//! Blocked signals wait, each once, and come when they are unblocked, the lowest number first.
use std::mem::MaybeUninit;

#[repr(C)]
#[derive(Clone, Copy)]
struct SigSet([u64; 16]);

unsafe extern "C" {
    fn signal(number: i32, handler: usize) -> usize;
    fn raise(number: i32) -> i32;
    fn getpid() -> i32;
    fn kill(process: i32, number: i32) -> i32;
    fn sigemptyset(set: *mut SigSet) -> i32;
    fn sigaddset(set: *mut SigSet, number: i32) -> i32;
    fn sigismember(set: *const SigSet, number: i32) -> i32;
    fn sigpending(set: *mut SigSet) -> i32;
    fn pthread_sigmask(how: i32, new: *const SigSet, old: *mut SigSet) -> i32;
    fn sigprocmask(how: i32, new: *const SigSet, old: *mut SigSet) -> i32;
}

const SIG_BLOCK: i32 = 0;
const SIG_UNBLOCK: i32 = 1;
const SIG_SETMASK: i32 = 2;

extern "C" fn handler(number: i32) {
    println!("got {number}");
}

fn set(numbers: &[i32]) -> SigSet {
    let mut set = MaybeUninit::uninit();
    unsafe {
        sigemptyset(set.as_mut_ptr());
        for number in numbers {
            sigaddset(set.as_mut_ptr(), *number);
        }
        set.assume_init()
    }
}

fn pending() -> Vec<i32> {
    let mut set = set(&[]);
    unsafe { sigpending(&mut set) };
    (1..32).filter(|number| unsafe { sigismember(&set, *number) } == 1).collect()
}

fn main() {
    for number in [1, 10, 12] {
        unsafe { signal(number, handler as *const () as usize) };
    }
    let (both, mut old) = (set(&[10, 12]), set(&[]));
    println!("block: {}", unsafe { pthread_sigmask(SIG_BLOCK, &both, &mut old) });
    println!("old: {}", unsafe { sigismember(&old, 10) });
    unsafe {
        raise(12);
        raise(10);
        raise(10);
        kill(getpid(), 12);
        raise(1);
    }
    println!("pending: {:?}", pending());
    println!("bad: {}", unsafe { pthread_sigmask(9, &both, std::ptr::null_mut()) });
    println!("unblock");
    unsafe { pthread_sigmask(SIG_UNBLOCK, &set(&[12]), &mut old) };
    println!("still: {:?} {}", pending(), unsafe { sigismember(&old, 12) });
    unsafe { sigprocmask(SIG_SETMASK, &set(&[]), std::ptr::null_mut()) };
    println!("all: {:?}", pending());
    // Another thread starts with the mask of the one that starts it.
    unsafe { sigprocmask(SIG_SETMASK, &set(&[10]), std::ptr::null_mut()) };
    std::thread::spawn(|| {
        unsafe { raise(10) };
        println!("in the thread: {:?}", pending());
        unsafe { pthread_sigmask(SIG_UNBLOCK, &set(&[10]), std::ptr::null_mut()) };
    })
    .join()
    .unwrap();
    println!("in main: {:?}", pending());
}
