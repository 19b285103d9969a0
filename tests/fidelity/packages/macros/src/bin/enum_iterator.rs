//! All values of a type.

#[derive(enum_iterator::Sequence, Debug)]
enum E {
    A,
    B(bool),
}
fn main() {
    println!("{:?}", enum_iterator::all::<E>().collect::<Vec<_>>());
}
