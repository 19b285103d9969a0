//! Variants by number.

use num_derive::FromPrimitive;
use num_traits::FromPrimitive as _;
#[derive(FromPrimitive, Debug)]
enum E {
    A = 1,
    B,
}
fn main() {
    println!("{:?}", E::from_u32(2));
}
