//! Numbers and variants; its macro asks cargo where the workspace is.

#[derive(num_enum::TryFromPrimitive, num_enum::IntoPrimitive, Debug)]
#[repr(u8)]
enum E {
    A,
    B = 5,
}
fn main() {
    println!("{:?} {:?} {}", E::try_from(5u8), E::try_from(9u8).is_err(), u8::from(E::B));
}
