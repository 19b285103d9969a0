// Functions that a program has itself and declares elsewhere as C's.
use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::atomic::{AtomicUsize, Ordering};
mod own {
    use super::*;
    #[repr(C)]
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Pair {
        pub a: u8,
        pub b: f64,
    }
    pub static CALLS: AtomicUsize = AtomicUsize::new(0);
    // Not libm's.
    #[unsafe(no_mangle)]
    pub extern "C" fn log(text: *const c_char) -> c_int {
        println!("{:?}", unsafe { CStr::from_ptr(text) });
        7
    }
    #[unsafe(no_mangle)]
    extern "C" fn hidden_pair(pair: Pair, by: u8) -> Pair {
        CALLS.fetch_add(1, Ordering::Relaxed);
        Pair { a: pair.a + by, b: pair.b * f64::from(by) }
    }
    #[unsafe(no_mangle)]
    pub unsafe extern "C" fn each(count: usize, with: Option<extern "C" fn(*mut c_void, usize)>, data: *mut c_void) {
        let Some(with) = with else { return println!("nothing to call") };
        (0..count).for_each(|index| with(data, index));
    }
    // Another one, with the mangled name.
    pub fn plain() -> &'static str {
        "mangled"
    }
    pub mod deep {
        #[unsafe(no_mangle)]
        fn plain() -> u32 {
            11
        }
    }
}
mod its_user {
    use super::*;
    #[repr(C)]
    #[derive(Clone, Copy, Debug)]
    pub struct Couple {
        pub x: u8,
        pub y: f64,
    }
    unsafe extern "C" {
        pub fn log(text: *const u8) -> u32;
        pub safe fn hidden_pair(pair: Couple, by: u8) -> Couple;
        pub fn each(count: usize, with: Option<extern "C" fn(*mut c_void, usize)>, data: *mut c_void);
    }
    unsafe extern "Rust" {
        pub safe fn plain() -> u32;
    }
}
extern "C" fn push(data: *mut c_void, index: usize) {
    unsafe { &mut *data.cast::<Vec<usize>>() }.push(index * index);
}
fn main() {
    println!("{}", unsafe { its_user::log(c"mine".as_ptr().cast()) });
    println!("{:?}", its_user::hidden_pair(its_user::Couple { x: 3, y: 1.5 }, 4));
    let call: extern "C" fn(its_user::Couple, u8) -> its_user::Couple = its_user::hidden_pair;
    println!("{:?} {}", call(its_user::Couple { x: 0, y: -1.0 }, 2), own::CALLS.load(Ordering::Relaxed));
    let mut squares: Vec<usize> = Vec::new();
    unsafe {
        its_user::each(4, Some(push), (&raw mut squares).cast());
        its_user::each(4, None, std::ptr::null_mut());
    }
    println!("{squares:?} {} {}", its_user::plain(), own::plain());
}
