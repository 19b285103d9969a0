fn main() {
    println!("{:?} {:?}", 250u8.checked_add(5), 250u8.checked_add(6));
    println!("{:?} {:?}", i8::MIN.checked_neg(), 5i8.checked_neg());
    println!("{:?} {:?}", 7i32.checked_div(0), i32::MIN.checked_div(-1));
    println!("{:?} {:?}", 1u32.checked_shl(31), 1u32.checked_shl(32));
    println!("{:?} {:?}", 10u8.checked_pow(2), 10u8.checked_pow(3));
    println!("{} {}", 250u8.wrapping_add(10), 5u8.wrapping_sub(10));
    println!("{} {}", i32::MAX.wrapping_mul(2), i32::MIN.wrapping_abs());
    println!("{} {}", i8::MIN.wrapping_div(-1), i8::MIN.wrapping_rem(-1));
    println!("{} {}", 1u8.wrapping_shl(9), (-1i8).wrapping_shr(9));
    println!("{} {}", 250u8.saturating_add(10), (-100i8).saturating_sub(100));
    println!("{} {}", i32::MAX.saturating_mul(-2), 3u8.saturating_pow(9));
    println!("{:?} {:?}", 250u8.overflowing_add(10), i32::MIN.overflowing_neg());
    println!("{:?} {:?}", i64::MAX.overflowing_mul(3), 1u16.overflowing_shl(17));
    println!("{} {}", (-7i32).rem_euclid(3), (-7i32).div_euclid(3));
    println!("{} {}", 7i32.rem_euclid(-3), 7i32.div_euclid(-3));
    println!("{} {}", 2i32.pow(10), (-3i64).pow(3));
    println!("{} {} {}", (-5i32).abs(), (-5i32).signum(), (-5i32).unsigned_abs());
    println!("{} {}", 10u8.abs_diff(250), (-100i8).abs_diff(100));
    println!("{} {}", 17u32.is_power_of_two(), 17u32.next_power_of_two());
    println!("{:?} {}", 200u8.checked_next_power_of_two(), 1000u32.isqrt());
    println!("{} {} {}", 100u32.ilog2(), 1000u32.ilog10(), 81u32.ilog(3));
    println!("{} {}", 7u32.div_ceil(2), 7u32.next_multiple_of(4));
    println!("{} {}", i128::MAX, i128::MIN);
    println!("{}", u128::MAX / 3);
    println!("{:?}", u128::MAX.checked_mul(2));
    println!("{}", (1u128 << 100) | 1);
    println!("{}", 12345678901234567890123u128 % 1000007);
    println!("{} {}", u64::MAX as u128 * u64::MAX as u128, -170141183460469231731687303715884105728i128);
    println!("{:?} {:?}", 5u8.checked_add_signed(-6), 5u8.wrapping_add_signed(-6));
    println!("{:?} {}", 100u8.checked_sub(101), 3i32.midpoint(8));
    println!("{:?} {:?}", 200u8.carrying(), 0);
}

trait C {
    fn carrying(self) -> (u16, bool);
}
impl C for u8 {
    fn carrying(self) -> (u16, bool) {
        (self as u16 * 2, self.overflowing_mul(2).1)
    }
}
