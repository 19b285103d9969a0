//! Macros of the workspace.

#[own_macros::twice]
fn f() {
    println!("f");
}
fn main() {
    f();
    println!("{}", own_macros::count!(a b c (d e)));
}
