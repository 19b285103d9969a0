// Unions, `repr`s, and the same bytes read as something else.

use std::mem::{align_of, offset_of, size_of, transmute};

#[repr(C)]
union Bits {
    float: f32,
    int: u32,
    bytes: [u8; 4],
}

#[repr(C)]
struct Header {
    tag: u8,
    len: u32,
    kind: u16,
}

#[repr(C, packed(2))]
struct Packed {
    tag: u8,
    len: u32,
    kind: u16,
}

#[repr(align(16))]
#[derive(Clone, Copy)]
struct Wide(u8);

#[repr(i8)]
#[derive(Clone, Copy, Debug, PartialEq)]
enum Level {
    Low = -3,
    Mid,
    High = 40,
}

#[repr(transparent)]
struct Meters(f64);

#[repr(C, u8)]
enum Message {
    Quit,
    Move { x: i16, y: i16 },
    Write([u8; 3]),
}

impl Drop for Meters {
    fn drop(&mut self) {
        println!("dropped {}", self.0);
    }
}

union Slot {
    held: std::mem::ManuallyDrop<Meters>,
    empty: (),
}

fn main() {
    let mut bits = Bits { float: 1.0 };
    unsafe {
        println!("{:#x} {:?}", bits.int, bits.bytes);
        bits.bytes[3] = 0xc0;
        println!("{}", bits.float);
        let Bits { int } = bits;
        println!("{int}");
    }
    println!("{} {} {} {}", size_of::<Header>(), offset_of!(Header, len), offset_of!(Header, kind), align_of::<Header>());
    println!("{} {} {}", size_of::<Packed>(), offset_of!(Packed, len), align_of::<Packed>());
    let packed = Packed { tag: 1, len: 0x01020304, kind: 9 };
    println!("{} {} {}", { packed.len }, { packed.kind }, packed.tag);
    println!("{} {}", size_of::<[Wide; 3]>(), size_of::<Option<Wide>>());
    let wide = [Wide(1), Wide(2)];
    println!("{} {}", (&raw const wide[1] as usize - &raw const wide[0] as usize), wide[1].0);
    println!("{:?} {} {}", [Level::Low, Level::Mid, Level::High].map(|it| it as i8), Level::Mid as u8, size_of::<Level>());
    println!("{:?}", unsafe { transmute::<i8, Level>(40) });
    println!("{} {}", size_of::<Message>(), align_of::<Message>());
    for message in [Message::Quit, Message::Move { x: -1, y: 7 }, Message::Write(*b"abc")] {
        let tag = unsafe { *(&raw const message).cast::<u8>() };
        let said = match message {
            Message::Quit => String::from("quit"),
            Message::Move { x, y } => format!("{x},{y}"),
            Message::Write(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        };
        println!("{tag} {said}");
    }
    let mut slot = Slot { held: std::mem::ManuallyDrop::new(Meters(2.5)) };
    println!("{}", unsafe { slot.held.0 });
    unsafe { std::mem::ManuallyDrop::drop(&mut slot.held) };
    slot.empty = ();
    println!("{}", size_of::<Slot>());
}
