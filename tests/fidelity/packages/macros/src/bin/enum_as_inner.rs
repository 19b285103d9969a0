//! Methods for each variant.

#[derive(enum_as_inner::EnumAsInner, Debug)]
enum E {
    One(u32),
    Two { a: u8, b: String },
    Three,
}
fn main() {
    let e = E::One(4);
    println!("{:?} {} {:?}", e.as_one().copied(), e.is_two(), e.into_one());
}
