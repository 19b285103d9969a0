// 128-bit division, remainder, powers and their checked kin, signed and not.
fn main() {
    let values: [i128; 9] = [0, 1, -1, i128::MAX, i128::MIN, 0x1234_5678_9abc_def0_1122, -987654321987654321, u64::MAX as i128, i64::MIN as i128];
    for a in values {
        for b in values {
            println!("{a} {b}: {:?} {:?} {:?} {:?}", a.checked_div(b), a.checked_rem(b), a.checked_div_euclid(b), a.checked_rem_euclid(b));
            println!("  {:?} {:?} {:?}", a.checked_add(b), a.checked_sub(b), a.checked_mul(b));
            println!("  {} {} {}", a.wrapping_mul(b), a.saturating_sub(b), a.saturating_mul(b));
            println!("  {:?} {:?}", a.overflowing_mul(b), a.abs_diff(b));
        }
        println!("{:x} {:o} {:b} {:#X} {:+} {:>45} {:<45}|", a, a, a, a, a, a, a);
        println!("{} {} {} {}", a.leading_zeros(), a.trailing_zeros(), a.count_ones(), a.signum());
        println!("{:?} {:?} {:?}", a.checked_abs(), a.checked_neg(), a.checked_pow(3));
        println!("{} {} {}", a.swap_bytes(), a.reverse_bits(), a.rotate_left(37));
        println!("{:?}", a.to_le_bytes());
        println!("{} {} {}", a as f64, a as f32, a as u64);
    }
    let big: u128 = 340282366920938463463374607431768211455;
    println!("{} {:?} {}", big, (big as f64) as u128 == big, big.isqrt());
    println!("{:?} {:?} {:?}", u128::from_str_radix("zz9", 36), "-170141183460469231731687303715884105728".parse::<i128>(), "340282366920938463463374607431768211456".parse::<u128>());
    println!("{:?} {:?} {:?}", big.checked_ilog2(), big.checked_ilog10(), 0u128.checked_ilog10());
    println!("{} {}", big.div_ceil(7), (big - 5).next_multiple_of(3));
    println!("{:?} {:?}", big.checked_next_power_of_two(), (1u128 << 100).checked_next_power_of_two());
}
