// Structs whose unsized tail is packed.
use std::mem::{align_of_val, size_of_val};

#[repr(C, packed)]
struct Bare {
    items: [u32],
}

#[repr(C, packed)]
struct Headed {
    head: u8,
    items: [u32],
}

#[repr(C, packed(2))]
struct Halves {
    head: u8,
    items: [u64],
}

#[repr(C)]
struct Plain {
    head: u8,
    items: [u32],
}

fn main() {
    let mut bytes = [0u8; 64];
    for (index, byte) in bytes.iter_mut().enumerate() {
        *byte = index as u8;
    }
    let of = |len: usize| std::ptr::slice_from_raw_parts(bytes.as_ptr().wrapping_add(1), len);
    let bare = unsafe { &*(of(3) as *const Bare) };
    println!("{} {} {:x}", size_of_val(bare), align_of_val(bare), { bare.items[1] });
    let headed = unsafe { &*(of(3) as *const Headed) };
    println!("{} {} {:x} {:x}", size_of_val(headed), align_of_val(headed), headed.head, { headed.items[2] });
    let whole = std::ptr::slice_from_raw_parts(bytes.as_ptr().wrapping_add(bytes.as_ptr().align_offset(8)), 2);
    let halves = unsafe { &*(whole as *const Halves) };
    println!("{} {} {} {}", size_of_val(halves), align_of_val(halves), &raw const halves.items as *const u8 as usize - halves as *const Halves as *const u8 as usize, {
        halves.items[1] & 0xff
    } - { halves.items[0] & 0xff });
    let plain = unsafe { &*(whole as *const Plain) };
    println!("{} {} {}", size_of_val(plain), align_of_val(plain), &raw const plain.items as *const u8 as usize - plain as *const Plain as *const u8 as usize);
    println!("{}", plain.items[1] - plain.items[0] == 0x0404_0404);
    let raw = &raw const headed.items;
    println!("{} {}", raw.len(), raw as *const u8 as usize - headed as *const Headed as *const u8 as usize);
}
