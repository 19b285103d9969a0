//! A builder; its macro uses macros of darling.

#[derive(derive_builder::Builder, Debug, Clone)]
struct S {
    a: u32,
    #[builder(default = "7")]
    b: u32,
    #[builder(setter(into))]
    c: String,
}
fn main() {
    println!("{:?}", SBuilder::default().a(1).c("x").build().unwrap());
    println!("{}", SBuilder::default().build().is_err());
}
