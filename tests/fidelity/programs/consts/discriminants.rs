//! Discriminants that need other enums', and what they make of tags and sizes.

use std::mem::size_of;

#[derive(Clone, Copy, Debug, PartialEq)]
enum First {
    A = 42,
    B,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Second {
    A = First::A as isize,
    B = First::A as isize + 1,
    C,
    D = -(First::B as isize) * 2,
}

enum Only {
    One = First::B as isize,
}

enum OfOnly {
    Single = Only::One as isize,
}

#[repr(u8)]
#[derive(Clone, Copy, Debug)]
enum Byte {
    Low = 1 + 2,
    High = (Second::B as u8) << 2,
    Next,
    Cut = !(First::A as u8),
}

#[repr(i8)]
#[derive(Clone, Copy, Debug)]
enum Signed {
    Minus = First::A as i8 - 100,
    Plus = Byte::Low as i8,
}

const FROM_B: isize = Second::B as isize;

#[derive(Clone, Copy, Debug)]
enum Wide {
    Small = FROM_B % 10,
    Large = (First::A as isize) << 10,
    Larger = Byte::High as isize | 1 << 20,
}

#[repr(u16)]
#[derive(Clone, Copy, Debug)]
#[allow(dead_code)]
enum Data {
    Unit = First::A as u16 ^ 0xff,
    Tuple(u8, u32) = Byte::Next as u16,
    Named { text: &'static str },
}

impl Data {
    fn tag(&self) -> u16 {
        // SAFETY: `repr(u16)` puts the tag first.
        unsafe { *std::ptr::from_ref(self).cast::<u16>() }
    }
}

fn name(wide: Wide) -> &'static str {
    match wide {
        Wide::Small => "small",
        Wide::Large => "large",
        Wide::Larger => "larger",
    }
}

fn main() {
    println!("{} {}", First::A as isize, First::B as u8);
    println!("{} {} {} {}", Second::A as isize, Second::B as i64, Second::C as u8, Second::D as i32);
    println!("{} {} {}", Only::One as isize, OfOnly::Single as u8, size_of::<Only>());
    println!("{} {} {} {}", Byte::Low as u8, Byte::High as u8, Byte::Next as i8, Byte::Cut as u64);
    println!("{} {}", Signed::Minus as i8, Signed::Plus as i64);
    println!("{} {} {}", Wide::Small as isize, Wide::Large as u16, Wide::Larger as i64);
    for wide in [Wide::Small, Wide::Large, Wide::Larger] {
        println!("{} {wide:?} {}", name(wide), wide as isize);
    }
    for data in [Data::Unit, Data::Tuple(1, 2), Data::Named { text: "text" }] {
        println!("{} {data:?}", data.tag());
    }
    println!("{:?} {}", [Second::A, Second::D], Second::A == Second::D);
    println!("{:?}", Some(Second::C).map(|it| (it, it as usize)));
    println!("{} {} {} {}", size_of::<Second>(), size_of::<Byte>(), size_of::<Wide>(), size_of::<Data>());
}
