// A function that the program itself has and declares elsewhere as one of C's: it is not known, and none of libm's.
mod own {
    #[unsafe(no_mangle)]
    pub extern "C" fn log(text: *const i8) -> i32 {
        println!("{:?}", unsafe { std::ffi::CStr::from_ptr(text) });
        7
    }
}
mod its_user {
    unsafe extern "C" {
        pub fn log(text: *const i8) -> i32;
    }
}
fn main() {
    println!("{}", unsafe { its_user::log(c"mine".as_ptr()) });
    let _ = own::log;
}
