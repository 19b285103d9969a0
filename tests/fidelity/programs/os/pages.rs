//! What the system says of itself, and memory that is asked of it page by page.

use std::ffi::c_void;

unsafe extern "C" {
    fn sysconf(name: i32) -> i64;
    fn mmap(addr: *mut c_void, len: usize, protection: i32, flags: i32, fd: i32, offset: i64) -> *mut c_void;
    fn munmap(addr: *mut c_void, len: usize) -> i32;
}

const PAGE_SIZE: i32 = 30;
const CLOCK_TICKS: i32 = 2;
const NO_SUCH_NAME: i32 = 12_345;

fn main() {
    println!("{} {} {}", unsafe { sysconf(PAGE_SIZE) }, unsafe { sysconf(CLOCK_TICKS) }, unsafe {
        sysconf(NO_SUCH_NAME)
    });
    let (read_write, private_anonymous) = (1 | 2, 2 | 0x20);
    let map = |len| unsafe { mmap(std::ptr::null_mut(), len, read_write, private_anonymous, -1, 0) };
    let page: *mut u8 = map(5000).cast();
    println!("{}", page.addr() % 4096);
    let bytes = unsafe { std::slice::from_raw_parts_mut(page, 8192) };
    println!("{}", bytes.iter().all(|it| *it == 0));
    bytes[8191] = 7;
    println!("{}", bytes[8191]);
    println!("{}", unsafe { munmap(page.cast(), 5000) });
    println!("{} {}", map(0).addr() == usize::MAX, map(1 << 60).addr() == usize::MAX);
    println!("{:?}", Vec::<u8>::new().try_reserve(1 << 60).is_err());
    let mut more = vec![1u8; 3];
    println!("{} {:?}", more.try_reserve(1 << 50).is_err(), more);
    println!("{:?}", Vec::<u64>::new().try_reserve_exact(1 << 44).is_err());
}
