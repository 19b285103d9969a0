//! Derives with bounds of their own.

#[derive_where::derive_where(Clone, Debug, PartialEq)]
struct S<T>(std::marker::PhantomData<T>, u32);
fn main() {
    let s = S::<fn()>(Default::default(), 3);
    println!("{:?} {}", s, s == s.clone());
}
