fn main() {
    let x = 0b0010_1100u8;
    println!("{} {} {}", x.count_ones(), x.count_zeros(), x.leading_zeros());
    println!("{} {} {}", x.trailing_zeros(), x.leading_ones(), (!x).leading_ones());
    println!("{} {}", 0u32.leading_zeros(), 0u64.trailing_zeros());
    println!("{} {}", (-1i16).leading_zeros(), (-2i16).trailing_ones());
    println!("{:08b} {:08b}", x.rotate_left(3), x.rotate_right(3));
    println!("{:08b} {:x}", x.reverse_bits(), 0x12345678u32.swap_bytes());
    println!("{:x} {:x}", 0x1234u16.to_be(), 0x1234u16.to_le());
    println!("{:?} {:?}", 0x12345678u32.to_be_bytes(), 0x12345678u32.to_le_bytes());
    println!("{} {}", u32::from_be_bytes([1, 2, 3, 4]), i16::from_le_bytes([0xff, 0xff]));
    println!("{} {} {}", 1i32 << 31, -1i32 >> 5, -1i32 as u32 >> 28);
    println!("{} {}", 0xF0u8 >> 4, 1u64 << 63);
    println!("{} {}", !0u8, !0i8);
    println!("{:x} {:x}", u128::MAX >> 4, (0xABu128 << 120).leading_zeros());
    println!("{} {}", (1u128 << 90).trailing_zeros(), u128::MAX.count_ones());
    let mut m = 0u16;
    m |= 1 << 3;
    m ^= 0xFF;
    m &= !(1 << 0);
    m <<= 2;
    m >>= 1;
    println!("{m:#018b}");
    println!("{}", 5i8 & -8 | 3 ^ 1);
    println!("{}", true & false | true ^ true);
    println!("{:?}", (0..8).map(|i| x >> i & 1).collect::<Vec<_>>());
}
