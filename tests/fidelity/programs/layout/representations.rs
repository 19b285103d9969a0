// Sizes and alignments by `repr`, niches, discriminants, what casts and transmutes make of them.
use std::mem::{align_of, discriminant, offset_of, size_of, size_of_val, transmute};
use std::num::{NonZeroU8, NonZeroU32};

#[repr(C)]
struct InOrder { a: u8, b: u32, c: u16 }
#[repr(C, packed)]
#[derive(Clone, Copy)]
struct Packed { a: u8, b: u32, c: u16 }
#[repr(C, packed(2))]
struct PackedTwo { a: u8, b: u32 }
#[repr(align(32))]
struct Aligned(u8);
#[repr(transparent)]
struct Transparent(u64, ());
#[repr(u8)]
#[derive(Debug, Clone, Copy, PartialEq)]
enum Small { A = 3, B, C = 200 }
#[repr(i16)]
#[derive(Clone, Copy)]
enum Negative { Low = -300, Zero = 0, Next }
#[repr(C, u8)]
enum Fields { One(u32), Two { x: u8, y: u64 }, Three }
#[derive(Clone, Copy)]
enum Plain { X = 10, Y = -10, Z }
enum Nested { A(Option<bool>), B, C }
union Bits { float: f32, int: u32, bytes: [u8; 4] }
enum Void {}

fn main() {
    println!("{} {} {} {}", size_of::<InOrder>(), align_of::<InOrder>(), offset_of!(InOrder, b), offset_of!(InOrder, c));
    println!("{} {} {} {}", size_of::<Packed>(), align_of::<Packed>(), offset_of!(Packed, b), offset_of!(Packed, c));
    println!("{} {} {}", size_of::<PackedTwo>(), align_of::<PackedTwo>(), offset_of!(PackedTwo, b));
    println!("{} {} {}", size_of::<Aligned>(), align_of::<Aligned>(), size_of::<[Aligned; 3]>());
    println!("{} {}", size_of::<Transparent>(), size_of::<Option<Transparent>>());
    let mut packed = Packed { a: 1, b: 0x01020304, c: 7 };
    packed.b += 1;
    let Packed { a, b, c } = packed;
    println!("{a} {b:#x} {c} {}", { packed.b } + 1);
    println!("{} {} {:?}", Small::A as u8, Small::B as i32, unsafe { transmute::<u8, Small>(200) });
    println!("{} {} {} {}", Negative::Low as i16, Negative::Low as u8, Negative::Next as i64, Negative::Zero as u32);
    println!("{} {} {}", Plain::X as i32, Plain::Y as u8, Plain::Z as i64);
    println!("{} {}", size_of::<Plain>(), size_of::<Option<Plain>>());
    for value in [Fields::One(9), Fields::Two { x: 1, y: 2 }, Fields::Three] {
        let tag = unsafe { *(&raw const value).cast::<u8>() };
        let text = match value { Fields::One(n) => n as u64, Fields::Two { x, y } => x as u64 + y, Fields::Three => 0 };
        println!("{tag} {text} {}", size_of_val(&value));
    }
    println!("{} {} {}", size_of::<Option<Box<u8>>>(), size_of::<Option<&str>>(), size_of::<Option<Option<bool>>>());
    println!("{} {} {}", size_of::<Option<NonZeroU32>>(), size_of::<Result<u32, ()>>(), size_of::<Result<u8, Void>>());
    println!("{} {} {}", size_of::<Option<char>>(), size_of::<Option<Option<char>>>(), size_of::<Option<std::cmp::Ordering>>());
    println!("{} {}", size_of::<Nested>(), size_of::<Option<(u8, NonZeroU8)>>());
    println!("{} {}", size_of::<Option<Vec<u8>>>(), size_of::<Option<Option<Option<String>>>>());
    let none: Option<NonZeroU8> = None;
    println!("{} {:?}", unsafe { transmute::<Option<NonZeroU8>, u8>(none) }, unsafe { transmute::<u8, Option<NonZeroU8>>(9) });
    println!("{}", unsafe { transmute::<Option<bool>, u8>(None) });
    println!("{:?}", unsafe { transmute::<u8, Option<bool>>(2) });
    let bits = Bits { float: 1.5 };
    println!("{:#x} {:?}", unsafe { bits.int }, unsafe { bits.bytes });
    println!("{}", discriminant(&Nested::A(None)) == discriminant(&Nested::A(Some(true))));
    println!("{}", matches!(Nested::B, Nested::C));
    println!("{:?}", unsafe { transmute::<[u16; 2], [u8; 4]>([0x0102, 0x0304]) });
    println!("{:?}", unsafe { transmute::<f64, u64>(-0.0) });
    println!("{}", size_of_val(&[0u16; 5][1..]) + size_of_val("abc") + size_of_val(&*Box::<dyn Fn()>::from(Box::new(|| ()))));
}
