// The names in attributes may be raw.
#[r#repr(r#C, r#packed(2))]
struct A { a: u8, b: u32 }
#[r#repr(u16)]
enum E { A = 3 }
#[repr(r#C)] struct B { a: u8, b: u32, c: u8 }
#[repr(C)] struct C { a: u8, b: u32, c: u8 }
fn main() { println!("{} {} {} {}", size_of::<A>(), size_of::<E>(), size_of::<B>(), size_of::<C>()); let _ = E::A; let _ = A{a:0,b:0}.a; }
