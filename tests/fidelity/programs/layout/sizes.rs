use std::mem::{align_of, align_of_val, offset_of, size_of, size_of_val};
use std::num::NonZeroU32;
use std::rc::Rc;

struct Mixed {
    a: u8,
    b: u32,
    c: u16,
}
#[repr(C)]
struct CMixed {
    a: u8,
    b: u32,
    c: u16,
}
#[repr(C, packed)]
struct Packed {
    a: u8,
    b: u32,
}
#[repr(align(16))]
struct Aligned(u8);
#[repr(C)]
union U {
    a: u32,
    b: [u8; 6],
}
enum Empty {}
enum One {
    A,
}
enum Few {
    A,
    B,
    C,
}
#[repr(u16)]
enum Wide {
    A = 500,
    B,
}
enum Data {
    A(u8),
    B(u32),
    C,
}
#[repr(transparent)]
struct T(f64);
#[repr(C)]
enum CEnum {
    A,
    B,
}
enum Nested {
    X(Option<bool>),
    Y,
    Z,
}

macro_rules! sizes {
    ($($t:ty),* $(,)?) => { $( println!("{} {} {}", stringify!($t), size_of::<$t>(), align_of::<$t>()); )* };
}

fn main() {
    sizes!(u8, i16, u32, u64, u128, usize, f32, f64, char, bool, ());
    sizes!(Mixed, CMixed, Packed, Aligned, U, Empty, One, Few, Wide, Data, T, CEnum, Nested);
    sizes!(Option<u8>, Option<u32>, Option<bool>, Option<char>, Option<NonZeroU32>, Option<Box<u8>>, Option<&u8>, Option<Option<bool>>);
    sizes!(&u8, &[u8], &str, Box<dyn Fn()>, Rc<str>, String, Vec<u16>, fn(i32) -> i32, Option<fn()>, *const dyn Send);
    sizes!([u16; 5], (u8, u32), (u8, u8, u16), [(); 100], Option<[u8; 3]>, Option<Few>, Option<Data>, Result<u32, ()>, Option<String>, Option<Empty>);
    sizes!(std::cell::Cell<u8>, std::cell::RefCell<u8>, Option<std::cmp::Ordering>, std::ops::Range<u8>, Option<std::cell::Cell<&u8>>);
    println!("{} {} {}", offset_of!(CMixed, a), offset_of!(CMixed, b), offset_of!(CMixed, c));
    println!("{} {}", offset_of!(Packed, b), offset_of!((u8, u64), 1) % 8);
    println!("{} {} {}", size_of_val("hello"), size_of_val(&[1u32, 2][..]), size_of_val(&5u16));
    let d: &dyn std::fmt::Debug = &(1u64, 2u8);
    println!("{} {} {}", size_of_val(d), align_of_val(d), size_of_val(&*Box::new([0u8; 7])));
    println!("{} {}", size_of_val(&|| 1), { let x = 5u32; size_of_val(&move || x) });
    println!("{} {} {}", Few::C as u8, Wide::B as u32, std::mem::size_of::<[Wide; 2]>());
    println!("{} {}", (Aligned(1).0, std::ptr::from_ref(&Aligned(2)).addr() % 16).0, std::mem::discriminant(&Few::A) == std::mem::discriminant(&Few::B));
}
