use std::num::*;
fn main() {
    println!(
        "{:?} {:?} {:?} {:?}",
        i8::MIN.checked_abs(),
        (-7i32).div_euclid(2),
        (-7i32).rem_euclid(2),
        7i32.checked_rem(0)
    );
    println!("{} {} {} {}", 10u32.isqrt(), 1000u32.ilog10(), 1025u64.ilog2(), 80u8.ilog(3));
    println!(
        "{:?} {:?} {} {}",
        200u8.checked_next_power_of_two(),
        0u8.next_power_of_two(),
        5u8.abs_diff(250),
        i32::MIN.unsigned_abs()
    );
    println!(
        "{} {} {} {}",
        u128::MAX,
        i128::MIN,
        0x1234_5678_9abc_def0_u128.swap_bytes(),
        (1u128 << 100).leading_zeros()
    );
    println!("{} {} {:?}", u64::MAX as f32, (u128::MAX / 3) as f64, (1u128 << 90).checked_mul(1 << 40));
    println!("{} {} {} {} {}", 300i32 as u8, -1i8 as u32, 3.99f32 as u8, -5.0f64 as u8, f32::NAN as i32);
    println!("{} {} {} {}", f64::MAX as i64, 1e20 as i64, u32::MAX as i32, 'é' as u8);
    println!("{:?} {:?} {:?}", 5u8.overflowing_sub(6), i32::MAX.overflowing_mul(2), 1i32.overflowing_shl(33));
    println!("{} {} {}", i16::MAX.wrapping_add(1), i8::MIN.wrapping_neg(), 1u32.wrapping_shr(35));
    println!(
        "{} {} {} {}",
        i8::MAX.saturating_add(1),
        (-100i8).saturating_mul(2),
        3u8.saturating_sub(9),
        i32::MIN.saturating_neg()
    );
    println!(
        "{} {} {} {}",
        0b1011u8.reverse_bits(),
        0x12u16.rotate_left(4),
        12u8.trailing_zeros(),
        (-1i16).count_ones()
    );
    println!("{:?} {:?} {:?}", u16::from_be_bytes([1, 2]), 258u32.to_le_bytes(), f32::from_bits(0x40490fdb));
    println!("{:?} {:?} {:?}", u8::try_from(300i32), i8::try_from(-128i64), char::try_from(0x110000u32).is_err());
    println!(
        "{:?} {:?} {:?}",
        NonZeroU8::new(0),
        NonZero::<i32>::new(-3).map(|n| n.get()),
        NonZeroU32::MIN.checked_add(4)
    );
    println!("{:?} {:?}", Wrapping(250u8) + Wrapping(10), Saturating(250u8) + Saturating(10));
    println!("{:?} {:?} {:?} {:?}", 2.5f64.round(), (-2.5f64).round_ties_even(), 2.7f32.trunc(), (-0.5f64).ceil());
    println!(
        "{:?} {:?} {:?} {:?}",
        1.0f64.total_cmp(&f64::NAN),
        f64::NAN.max(1.0),
        5.5f32.clamp(0.0, 5.0),
        7.5f64.rem_euclid(-2.0)
    );
    println!("{:?} {:?} {:?} {:?}", 2f64.powi(-3), 2f64.sqrt(), 8f64.cbrt(), 0.1f64 + 0.2);
    println!("{:?} {:?} {:?}", 3f64.mul_add(2.0, 1.0), 5f64.hypot(12.0), 1f64.copysign(-0.0));
    println!("{:?} {:?} {:?} {:?}", f64::EPSILON, f32::MIN_POSITIVE, 1.5f64.fract(), 10f64.log10());
    println!("{:?} {:?} {:?}", 1.0f64.to_bits(), (0.1f32).to_ne_bytes(), f64::MAX.next_up());
    println!("{:?} {:?} {:?}", 9u8.midpoint(4), (-7i64).signum(), 7u32.div_ceil(2));
    println!("{:?} {:?} {:?}", 13u32.next_multiple_of(5), 6i32.is_positive(), 100u8.checked_add_signed(-101));
    println!("{:?}", (1..=5u64).product::<u64>() + [1.5f32, 2.5].iter().sum::<f32>() as u64);
    for (a, b) in [(i32::MIN, -1), (5, 0)] {
        println!(
            "{:?} {:?}",
            a.checked_div(b),
            std::panic::catch_unwind(move || a / b)
                .map_err(|e| e.downcast_ref::<&str>().map(|s| s.to_string()).or(e.downcast_ref::<String>().cloned()))
        );
    }
    println!(
        "{:?}",
        std::panic::catch_unwind(|| {
            let x = [1u8, 2];
            let i = std::hint::black_box(5);
            x[i]
        })
        .map_err(|e| e.downcast_ref::<String>().cloned())
    );
    println!("{:?} {:?}", u64::from_str_radix("-1", 10), i64::from_str_radix("-zz", 36));
    println!(
        "{:?} {:?}",
        "0x10".parse::<i32>().map_err(|e| e.to_string()),
        "9223372036854775808".parse::<i64>().map_err(|e| e.kind().clone())
    );
    println!("{:?} {:?} {:?}", "1_000".parse::<u32>().is_err(), "+5".parse::<u8>(), "1e-400".parse::<f64>());
    println!("{} {} {} {}", 1e7f32, 123456789f32, 1.0e-5f64, f64::MIN_POSITIVE);
    println!("{:.0} {:.0} {:.1} {:.3e} {}", 0.5, 1.5, 0.25, 123456.0, 5e-324);
}
