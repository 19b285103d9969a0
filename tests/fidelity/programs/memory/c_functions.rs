// Functions of the C library that tutorials declare.
use std::ffi::{c_char, c_double, c_float, c_int, c_long};
unsafe extern "C" {
    safe fn abs(input: c_int) -> c_int;
    safe fn labs(input: c_long) -> c_long;
    safe fn sqrt(x: c_double) -> c_double;
    safe fn sqrtf(x: c_float) -> c_float;
    safe fn pow(x: c_double, y: c_double) -> c_double;
    safe fn floor(x: c_double) -> c_double;
    safe fn ceil(x: c_double) -> c_double;
    safe fn round(x: c_double) -> c_double;
    safe fn trunc(x: c_double) -> c_double;
    safe fn fabs(x: c_double) -> c_double;
    safe fn copysignf(x: c_float, y: c_float) -> c_float;
    safe fn fma(x: c_double, y: c_double, z: c_double) -> c_double;
    safe fn cos(x: c_double) -> c_double;
    fn strlen(text: *const c_char) -> usize;
}
fn main() {
    println!("{} {} {} {}", abs(-3), abs(3), abs(0), abs(i32::MIN + 1));
    println!("{} {}", labs(i64::MIN + 1), labs(5));
    println!("{} {} {}", sqrt(2.0), sqrtf(2.0), sqrt(-1.0).is_nan());
    println!("{} {} {} {} {}", pow(2.0, 10.0), floor(-1.5), ceil(-1.5), round(2.5), trunc(-2.7));
    println!("{} {} {} {}", fabs(-0.0), copysignf(3.0, -0.0), fma(2.0, 3.0, 4.0), cos(0.0));
    println!("{}", unsafe { strlen(c"four".as_ptr()) });
}
