//! A handler with `SA_SIGINFO` learns who sent the signal; one with `SA_RESETHAND` runs once; masks hold while it runs.
use std::sync::atomic::{AtomicI32, Ordering};

#[repr(C)]
struct SigAction {
    handler: usize,
    mask: [u64; 16],
    flags: u32,
    restorer: usize,
}
unsafe extern "C" {
    fn sigaction(number: i32, new: *const SigAction, old: *mut SigAction) -> i32;
    fn raise(number: i32) -> i32;
    fn getpid() -> i32;
    fn kill(process: i32, number: i32) -> i32;
}

const SA_SIGINFO: u32 = 4;
const SA_NODEFER: u32 = 0x4000_0000;
const SA_RESETHAND: u32 = 0x8000_0000;
static LEFT: AtomicI32 = AtomicI32::new(3);

extern "C" fn told(number: i32, information: *const [i32; 32], _context: *mut u8) {
    let information = unsafe { &*information };
    println!("{number} {} by a process: {}", information[0], information[2] == 0);
    if number == 10 {
        unsafe { raise(12) };
        println!("12 is blocked");
    }
}

extern "C" fn nested(_: i32) {
    let left = LEFT.fetch_sub(1, Ordering::Relaxed);
    println!("in {left}");
    if left > 1 {
        unsafe { raise(1) };
    }
    println!("out {left}");
}

fn set(number: i32, handler: usize, mask: u64, flags: u32) -> (bool, u64, u32) {
    let new = SigAction { handler, mask: std::array::from_fn(|at| if at == 0 { mask } else { 0 }), flags, restorer: 0 };
    let mut old = SigAction { handler: 0, mask: [0; 16], flags: 0, restorer: 0 };
    assert_eq!(unsafe { sigaction(number, &new, &mut old) }, 0);
    // The C library adds a flag of its own.
    (old.handler > 1, old.mask[0], old.flags & !0x0400_0000)
}

fn main() {
    println!("{:?}", set(10, told as *const () as usize, 1 << 11, SA_SIGINFO));
    println!("{:?}", set(10, told as *const () as usize, 1 << 11, SA_SIGINFO));
    set(12, told as *const () as usize, 0, SA_SIGINFO);
    set(1, nested as *const () as usize, 0, SA_NODEFER);
    unsafe {
        raise(10);
        kill(getpid(), 12);
        raise(1);
    }
    set(15, told as *const () as usize, 0, SA_SIGINFO | SA_RESETHAND);
    unsafe { raise(15) };
    println!("{:?}", set(15, 1, 0, 0).0);
    unsafe { raise(15) };
    println!("{:?}", set(15, 0, 0, 0).0);
    unsafe { kill(getpid(), 15) };
}
