// What integers have besides arithmetic, by type.
macro_rules! all {
    ($($ty:ident $unsigned:ident),*) => {$({
        println!("{}", stringify!($ty));
        for value in [0 as $ty, 1, 2, 7, 63, $ty::MAX, $ty::MIN, $ty::MAX / 3, $ty::MAX - 1] {
            println!("  {value} {:?} {:?} {:?}", value.checked_shl(3), value.checked_shr(200), value.overflowing_shl(9));
            println!("  {} {} {} {}", value.wrapping_shl(11), value.wrapping_neg(), value.rotate_right(3), value.swap_bytes());
            println!("  {:?} {:?} {:?} {:?}", value.checked_ilog(3), value.checked_ilog2(), value.checked_ilog10(), value.checked_rem(5));
            println!("  {:?} {:?} {}", value.checked_isqrt_(), value.overflowing_pow(5), value.saturating_pow(3));
            println!("  {:?} {:?} {:?}", value.to_be_bytes(), $ty::from_le_bytes(value.to_be_bytes()), $ty::from_be(value));
            println!("  {} {} {}", value.leading_ones(), value.trailing_ones(), value.count_zeros());
            println!("  {:?} {:?} {}", u8::try_from(value), i16::try_from(value).map_err(|e| e.to_string()), value as $unsigned);
            println!("  {:?} {:?}", value.checked_add(value), value.midpoint(9));
            println!("  {:08b} {:#x} {:e}", value as u8, value, value as i64 as f64 as i32);
        }
    })*};
}
trait Root { fn checked_isqrt_(self) -> Option<String>; }
macro_rules! unsigned { ($($ty:ident)*) => {$(impl Root for $ty { fn checked_isqrt_(self) -> Option<String> { Some(self.isqrt().to_string()) } })*}; }
macro_rules! signed { ($($ty:ident)*) => {$(impl Root for $ty { fn checked_isqrt_(self) -> Option<String> { self.checked_isqrt().map(|it| it.to_string()) } })*}; }
unsigned!(u8 u16 u32 u64 usize);
signed!(i8 i16 i32 i64 isize);
fn main() {
    all!(u8 u8, i8 u8, u16 u16, i16 u16, u32 u32, i32 u32, u64 u64, i64 u64, usize usize, isize usize);
    println!("{:?} {:?}", 200u8.carrying_add_(100, true), 5u8.checked_signed_diff_(9));
    println!("{:?} {:?} {:?}", 250u8.checked_add_signed(-7), 250u8.checked_add_signed(7), 3u8.saturating_add_signed(-7));
    println!("{:?} {:?} {:?}", i8::MIN.checked_abs(), i8::MIN.unsigned_abs(), i8::MIN.wrapping_abs());
    println!("{:?} {:?}", 7u32.is_multiple_of(0), 12u32.is_multiple_of(4));
    println!("{:?} {:?}", std::num::NonZeroU8::new(0), std::num::NonZeroI32::new(-4).map(|it| it.unsigned_abs()));
    println!("{:?}", std::num::NonZeroU64::new(12).unwrap().checked_mul(std::num::NonZeroU64::MAX));
    println!("{:?}", (std::num::Wrapping(200u8) * std::num::Wrapping(3), std::num::Saturating(200u8) + std::num::Saturating(100)));
}
trait More { fn carrying_add_(self, other: u8, carry: bool) -> (u8, bool); fn checked_signed_diff_(self, other: u8) -> Option<i8>; }
impl More for u8 {
    fn carrying_add_(self, other: u8, carry: bool) -> (u8, bool) {
        let (a, b) = self.overflowing_add(other);
        let (c, d) = a.overflowing_add(carry as u8);
        (c, b | d)
    }
    fn checked_signed_diff_(self, other: u8) -> Option<i8> { (self as i16 - other as i16).try_into().ok() }
}
