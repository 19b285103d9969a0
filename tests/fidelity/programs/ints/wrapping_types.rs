use std::num::{NonZeroI32, NonZeroU8, Saturating, Wrapping};

fn lcg(seed: &mut u32) -> u32 {
    *seed = seed.wrapping_mul(1664525).wrapping_add(1013904223);
    *seed >> 16
}

fn xorshift(s: &mut u64) -> u64 {
    *s ^= *s << 13;
    *s ^= *s >> 7;
    *s ^= *s << 17;
    *s
}

fn modpow(mut b: u64, mut e: u64, m: u64) -> u64 {
    let mut r = 1;
    while e > 0 {
        if e & 1 == 1 {
            r = (r as u128 * b as u128 % m as u128) as u64;
        }
        b = (b as u128 * b as u128 % m as u128) as u64;
        e >>= 1;
    }
    r
}

fn crc32(data: &[u8]) -> u32 {
    let mut c = !0u32;
    for b in data {
        c ^= *b as u32;
        for _ in 0..8 {
            c = if c & 1 != 0 { (c >> 1) ^ 0xEDB88320 } else { c >> 1 };
        }
    }
    !c
}

fn mul_wide(a: u128, b: u128) -> (u128, u128) {
    let (ah, al, bh, bl) = (a >> 64, a & u64::MAX as u128, b >> 64, b & u64::MAX as u128);
    let ll = al * bl;
    let (m1, m2) = (ah * bl, al * bh);
    let mid = (ll >> 64) + (m1 & u64::MAX as u128) + (m2 & u64::MAX as u128);
    (ah * bh + (m1 >> 64) + (m2 >> 64) + (mid >> 64), mid << 64 | ll & u64::MAX as u128)
}

fn main() {
    let mut w = Wrapping(250u8);
    w += 10;
    println!("{w} {:?} {}", w * Wrapping(100), -w);
    println!("{} {}", Wrapping(i32::MIN) - Wrapping(1), (Wrapping(1u32) << 33).0);
    let mut s = Saturating(250u8);
    s += 10;
    println!("{s} {}", s - Saturating(255) - Saturating(3));
    println!("{:?} {:?}", NonZeroU8::new(0), NonZeroU8::new(7));
    println!("{:?} {}", NonZeroI32::new(-3).map(|n| n.abs()), NonZeroU8::MIN.checked_add(5).unwrap());
    println!("{:?}", "12".parse::<NonZeroU8>().map(|n| n.get()));
    println!("{:?}", "0".parse::<NonZeroU8>().map_err(|e| e.to_string()));
    let mut seed = 42;
    println!("{:?}", (0..5).map(|_| lcg(&mut seed)).collect::<Vec<_>>());
    let mut x = 88172645463325252;
    println!("{:?}", (0..3).map(|_| xorshift(&mut x)).collect::<Vec<_>>());
    println!("{} {}", modpow(3, 1_000_000_006, 1_000_000_007), modpow(7, 123456789, 998244353));
    println!("{:08x} {:08x}", crc32(b"123456789"), crc32(b""));
    println!("{:x?}", mul_wide(u128::MAX, u128::MAX - 1));
    println!("{} {}", i128::MAX / -7, (i128::MIN + 1) % 1000);
    println!("{:?} {:?}", i128::MAX.checked_add(1), u128::MAX.overflowing_add(2));
    println!("{:?}", "340282366920938463463374607431768211455".parse::<u128>());
    println!("{:?}", "340282366920938463463374607431768211456".parse::<u128>().is_err());
    println!("{:?} {:?}", u64::MAX.widening(), 0xFFu8.carrying_by_hand(1));
    println!("{:?} {:?}", 5u32.checked_ilog2(), 0u32.checked_ilog10());
    println!("{} {} {}", 10i32.rem_euclid(4), u8::MAX.wrapping_pow(3), 2i8.saturating_pow(9));
    println!("{:?} {:?}", 100i8.checked_mul(2), (-100i8).checked_sub(29));
    println!("{:?} {:?} {:?}", 5usize.checked_sub(6), 1u64.checked_next_multiple_of(0), 10u8.is_multiple_of(5));
    println!("{:?} {:?}", i16::from_str_radix("-8000", 16), u8::from_str_radix("100000000", 2).is_err());
    println!("{} {}", u32::MAX.leading_ones(), (1u128 << 127).leading_zeros());
    println!("{} {} {}", i8::MAX as i32 + 1, i64::BITS, usize::BITS);
}
trait Wide {
    fn widening(self) -> (u64, u64);
}
impl Wide for u64 {
    fn widening(self) -> (u64, u64) {
        let p = self as u128 * self as u128;
        ((p >> 64) as u64, p as u64)
    }
}
trait ByHand {
    fn carrying_by_hand(self, o: Self) -> (u8, bool);
}
impl ByHand for u8 {
    fn carrying_by_hand(self, o: u8) -> (u8, bool) {
        self.overflowing_add(o)
    }
}
