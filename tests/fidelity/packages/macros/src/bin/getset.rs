//! Getters and setters, by a macro that needs syn 1.

#[derive(getset::Getters, getset::Setters, getset::CopyGetters)]
struct S {
    #[getset(get = "pub")]
    a: String,
    #[getset(get_copy = "pub", set = "pub")]
    b: u32,
}
fn main() {
    let mut s = S { a: "q".into(), b: 2 };
    s.set_b(5);
    println!("{} {}", s.a(), s.b());
}
