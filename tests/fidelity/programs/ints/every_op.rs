// Every family of integer operations at the edges, for all widths, through one macro.
macro_rules! family {
    ($($ty:ident)*) => {$({
        let (low, high, one) = ($ty::MIN, $ty::MAX, 1 as $ty);
        println!("{} {} {}", stringify!($ty), low, high);
        println!("{:?} {:?} {:?} {:?}", high.checked_add(one), low.checked_sub(one), high.checked_mul(2), high.checked_div(0));
        println!("{} {} {}", high.wrapping_add(2), low.wrapping_sub(1), high.wrapping_mul(high));
        println!("{} {} {}", high.saturating_add(5), low.saturating_sub(5), high.saturating_mul(3));
        println!("{:?} {:?} {:?}", high.overflowing_add(1), low.overflowing_sub(1), high.overflowing_mul(2));
        println!("{:?} {:?} {:?}", one.checked_shl($ty::BITS), one.overflowing_shl($ty::BITS + 3), high.wrapping_shr($ty::BITS + 1));
        println!("{:?} {} {:?}", (3 as $ty).checked_pow(200), (3 as $ty).wrapping_pow(77), (2 as $ty).overflowing_pow($ty::BITS));
        println!("{} {} {}", (7 as $ty).div_euclid(3), (7 as $ty).rem_euclid(3), (100 as $ty).isqrt());
        println!("{} {} {}", high.count_ones(), (high / 3).leading_zeros(), (high - 3).trailing_zeros());
        println!("{} {} {}", high.rotate_left(3), (high / 5).swap_bytes(), (high / 7).reverse_bits());
        println!("{:?} {:?} {:?}", (100 as $ty).checked_ilog10(), (100 as $ty).checked_ilog2(), (100 as $ty).checked_ilog(3));
        println!("{:?} {:?} {}", (high / 11).to_be_bytes(), (high / 11).to_le_bytes(), $ty::from_be_bytes((high / 11).to_be_bytes()));
        println!("{} {} {}", (9 as $ty).abs_diff(100), (9 as $ty).midpoint(12), high.clamp(3, 9));
        println!("{:x} {:#b} {:o} {:#X} {:08}", high / 3, (5 as $ty), high / 2, high, (42 as $ty));
    })*};
}

fn main() {
    family!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);
    for (a, b) in [(7, 3), (-7, 3), (7, -3), (-7, -3), (i32::MIN, -1), (0, -5)] {
        println!("{:?} {:?} {:?} {:?}", a.checked_div(b), a.checked_rem(b), a.checked_div_euclid(b), a.checked_rem_euclid(b));
        println!("{:?} {} {} {:?}", a.overflowing_div(b), a.wrapping_rem(b), a.wrapping_div_euclid(b), a.overflowing_rem_euclid(b));
    }
    println!("{:?} {} {:?} {}", i8::MIN.checked_abs(), i8::MIN.wrapping_abs(), i8::MIN.overflowing_neg(), i8::MIN.unsigned_abs());
    println!("{} {} {} {}", (-5i32).signum(), (-128i8).saturating_neg(), i64::MIN.saturating_abs(), (-1i16).is_negative());
    println!("{:?} {:?} {:?}", 250u8.checked_add_signed(-3), 3u8.checked_add_signed(-4), 250u8.saturating_add_signed(10));
    println!("{:?} {:?} {:?}", 5u8.checked_next_power_of_two(), 200u8.checked_next_power_of_two(), 17u32.next_multiple_of(5));
    println!("{} {} {}", 7u32.div_ceil(2), u64::MAX.leading_ones(), (-2i32).trailing_ones());
    println!("{:?} {:?}", u8::try_from(300i32).map_err(|error| error.to_string()), i8::try_from(-128i64));
    println!("{} {} {} {}", 300i32 as u8, -1i8 as u32, u64::MAX as i32, i128::MIN as u64);
    println!("{} {} {} {}", 3.99f64 as u8, -1.5f32 as u16, f64::NAN as i32, 1e20 as i64);
    println!("{} {} {}", u128::MAX as f32, i64::MAX as f64, 16777217i32 as f32);
    println!("{} {} {}", 'é' as u32, 233u8 as char, true as i8);
    println!("{:?}", 10u64.carrying(3));
}
trait Carry { fn carrying(self, other: u64) -> (u64, u64); }
impl Carry for u64 {
    fn carrying(self, other: u64) -> (u64, u64) {
        let wide = u128::from(self) * u128::from(other) * u128::from(u64::MAX);
        (wide as u64, (wide >> 64) as u64)
    }
}
