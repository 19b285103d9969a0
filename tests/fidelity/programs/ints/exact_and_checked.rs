// Integer operations that check, wrap, saturate or carry, at the edges of several widths.

fn shown<T: std::fmt::Debug>(name: &str, values: impl IntoIterator<Item = T>) {
    println!("{name}: {:?}", values.into_iter().collect::<Vec<_>>());
}

fn main() {
    shown("checked", [i8::MIN.checked_neg(), i8::MIN.checked_abs(), 5i8.checked_pow(3), (-128i8).checked_div(-1), 100i8.checked_add(27)]);
    shown("saturating", [i8::MAX.saturating_add(1), i8::MIN.saturating_sub(1), (-12i8).saturating_mul(12), i8::MIN.saturating_neg()]);
    shown("wrapping", [i8::MIN.wrapping_neg(), 127i8.wrapping_add(2), 16i8.wrapping_mul(17), 1i8.wrapping_shl(9), (-1i8).wrapping_shr(9)]);
    shown("overflowing", [i16::MIN.overflowing_neg(), 300i16.overflowing_mul(300), i16::MIN.overflowing_div(-1), 1i16.overflowing_shl(17)]);
    shown("euclid", [(-7i32).rem_euclid(3), (-7i32).div_euclid(3), 7i32.div_euclid(-3), 7i32.rem_euclid(-3), -7 / 3, -7 % 3]);
    shown("unsigned", [7u32.div_ceil(2), 7u32.next_multiple_of(4), 7u32.abs_diff(9), 5u32.next_power_of_two(), 81u32.isqrt(), 1000u32.ilog10()]);
    shown("signed with unsigned", [200u8.checked_add_signed(55), 200u8.checked_add_signed(56), 3u8.checked_add_signed(-4)]);
    shown("bits", [0b1011_0000u8.leading_zeros(), 0b1011_0000u8.trailing_zeros(), 0b1011_0000u8.count_ones(), (!0b1011_0000u8).leading_ones()]);
    println!("{:#010b} {:#06x} {:#o}", 0b1011_0001u8.rotate_left(3), 0x1234u16.swap_bytes(), 0b1011u8.reverse_bits());
    println!("{:?} {:?}", 0x12345678u32.to_be_bytes(), i24(-2).to_le_bytes());
    println!("{} {}", u128::MAX, i128::MIN);
    println!("{:?} {:?}", u64::MAX.carrying(1), (u64::MAX as u128 * u64::MAX as u128) >> 64);
    println!("{:?} {:?} {:?}", u8::try_from(256i32).is_err(), i8::try_from(-128i64), char::from_u32(0xd800));
    println!("{} {} {} {}", -1i8 as u32, 300i32 as u8 as i8, 3.99f32 as u8, f64::NAN as i32);
    println!("{} {}", (1e20 as i64), (-1.5f32 as u16));
    println!("{:?}", ["+7", "-0", "", "1_0", "256", "0x1"].map(|text| text.parse::<u8>().map_err(|error| error.to_string())));
    println!("{:?} {:?}", i32::from_str_radix("-7fffffff", 16), u8::from_str_radix("102", 2).is_err());
    println!("{} {}", i64::midpoint(-3, 6), u8::midpoint(255, 254));
}

trait Carrying: Sized {
    fn carrying(self, other: Self) -> (Self, bool);
}

impl Carrying for u64 {
    fn carrying(self, other: Self) -> (Self, bool) {
        self.overflowing_add(other)
    }
}

fn i24(value: i32) -> i32 {
    value << 8 >> 8
}
