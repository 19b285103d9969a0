//! Packed structs with an unsized tail: offset, size and alignment of the tail are at most what the packing says.

use std::fmt::Display;
use std::mem::{ManuallyDrop, align_of_val, offset_of, size_of_val};
use std::ptr::addr_of;

#[repr(C, packed)]
struct One<T: ?Sized>(u8, ManuallyDrop<T>);

#[repr(C, packed(2))]
struct Two<T: ?Sized>(u8, ManuallyDrop<T>);

#[repr(C, packed(4))]
struct Four<T: ?Sized> {
    a: u16,
    b: u8,
    tail: ManuallyDrop<T>,
}

#[repr(packed(2))]
struct Free<T: ?Sized> {
    a: u32,
    b: u8,
    tail: ManuallyDrop<T>,
}

#[repr(C)]
struct Around<T: ?Sized>(u8, Four<T>);

macro_rules! sized_and_unsized {
    ($strukt:ident, $field:tt, $value:expr, $ty:ty => $dyn:ty, $make:expr) => {{
        let make: fn($ty) -> $strukt<$ty> = $make;
        let value = make($value);
        let sized: &$strukt<$ty> = &value;
        let wide: &$strukt<$dyn> = sized;
        let start = |p: *const u8, q: *const u8| unsafe { q.offset_from(p) };
        println!(
            "{} of {}: {} {} {} as {}: {} {} {}",
            stringify!($strukt),
            stringify!($ty),
            size_of_val(sized),
            align_of_val(sized),
            start(std::ptr::from_ref(sized).cast(), addr_of!(sized.$field).cast()),
            stringify!($dyn),
            size_of_val(wide),
            align_of_val(wide),
            start(std::ptr::from_ref(wide).cast(), addr_of!(wide.$field).cast()),
        );
    }};
}

fn main() {
    sized_and_unsized!(One, 1, 7, u64 => dyn Display, |v| One(0, ManuallyDrop::new(v)));
    sized_and_unsized!(One, 1, [1, 2, 3], [u16; 3] => [u16], |v| One(0, ManuallyDrop::new(v)));
    sized_and_unsized!(Two, 1, 7, u64 => dyn Display, |v| Two(0, ManuallyDrop::new(v)));
    sized_and_unsized!(Two, 1, 7, u8 => dyn Display, |v| Two(0, ManuallyDrop::new(v)));
    sized_and_unsized!(Two, 1, 7, u128 => dyn Send, |v| Two(0, ManuallyDrop::new(v)));
    sized_and_unsized!(Two, 1, [1, 2, 3], [u32; 3] => [u32], |v| Two(0, ManuallyDrop::new(v)));
    sized_and_unsized!(Two, 1, [1, 2, 3], [u8; 3] => [u8], |v| Two(0, ManuallyDrop::new(v)));
    sized_and_unsized!(Four, tail, 7, u64 => dyn Display, |v| Four { a: 0, b: 1, tail: ManuallyDrop::new(v) });
    sized_and_unsized!(Four, tail, 7, u16 => dyn Display, |v| Four { a: 0, b: 1, tail: ManuallyDrop::new(v) });
    sized_and_unsized!(Four, tail, 7, u8 => dyn Display, |v| Four { a: 0, b: 1, tail: ManuallyDrop::new(v) });
    sized_and_unsized!(Four, tail, [7, 8], [u64; 2] => [u64], |v| Four { a: 0, b: 1, tail: ManuallyDrop::new(v) });

    let free = Free { a: 1, b: 2, tail: ManuallyDrop::new(7u64) };
    let wide: &Free<dyn Display> = &free;
    println!("free {} {} {} {}", size_of_val(&free), align_of_val(&free), size_of_val(wide), align_of_val(wide));
    let (a, b) = (wide.a, wide.b);
    let same = addr_of!(wide.tail).cast::<u8>() == addr_of!(free.tail).cast::<u8>();
    println!("{a} {b} {same} {}", { free.tail }.to_string());

    let around = Around(9, Four { a: 1, b: 2, tail: ManuallyDrop::new(5u64) });
    let wide: &Around<dyn Display> = &around;
    println!("around {} {} {} {}", size_of_val(&around), align_of_val(&around), size_of_val(wide), align_of_val(wide));
    println!("{} {}", offset_of!(Around<u64>, 1), around.0 == wide.0);
    let tail = addr_of!(wide.1.tail).cast::<u8>().addr() - std::ptr::from_ref(wide).cast::<u8>().addr();
    println!("{tail}");

    let words: &Two<[u32]> = &Two(1, ManuallyDrop::new([10, 20, 30]));
    let total: u32 = (0..3).map(|i| unsafe { addr_of!(words.1).cast::<u32>().add(i).read_unaligned() }).sum();
    println!("{total} {}", words.0);

    let boxed: Box<One<dyn Display>> = Box::new(One(3, ManuallyDrop::new(4u8)));
    println!("{} {}", boxed.0, size_of_val(&*boxed));
}
