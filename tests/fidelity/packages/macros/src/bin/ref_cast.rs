//! A cast of a reference.

use ref_cast::RefCast;
#[derive(RefCast)]
#[repr(transparent)]
struct S(str);
fn main() {
    println!("{}", S::ref_cast("hi").0.len());
}
