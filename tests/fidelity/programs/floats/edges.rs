// Floats at the edges: rounding, order, bits, formatting with exponents and precision.
fn main() {
    let values = [0.0, -0.0, 0.1, 0.5, 1.5, 2.5, -2.5, 1e15, 1e16, 1e17, 123456.789, 1e-5, 1e-7, f64::MIN_POSITIVE, 5e-324, f64::MAX, f64::EPSILON, f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
    for x in values {
        println!("{x} {x:?} {x:e} {x:.2} {x:.0} {x:10.3}| {x:<10}| {x:+} {x:010.1} {x:.3e} {x:E}");
        println!("{} {} {} {} {} {}", x.floor(), x.ceil(), x.round(), x.trunc(), x.round_ties_even(), x.fract());
        println!("{:#x} {:?} {} {} {}", x.to_bits(), x.classify(), x.is_sign_negative(), x.signum(), x.abs());
        println!("{} {} {} {}", x as i32, x as u8, x as i64, x as f32);
    }
    for x in [0.1f32, 1e7, 1.6777216e7, 3.4028235e38, 1e-45, 0.3, 1.0 / 3.0] {
        println!("{x} {x:?} {x:e} {:.10} {} {:#x}", x, x as f64, x.to_bits());
    }
    println!("{} {} {} {}", f64::NAN.max(1.0), 1.0f64.min(f64::NAN), f64::NAN == f64::NAN, (-0.0f64).max(0.0));
    println!("{:?} {:?} {:?}", 1.0f64.partial_cmp(&f64::NAN), (-0.0f64).partial_cmp(&0.0), (-0.0f64).total_cmp(&0.0));
    let mut all = [1.0, f64::NAN, -1.0, f64::INFINITY, -0.0, 0.0, -f64::NAN, f64::NEG_INFINITY];
    all.sort_by(f64::total_cmp);
    println!("{:?} {}", all.map(|x| x.to_bits() >> 48), all[0].is_nan());
    println!("{} {} {}", 7.5f64.rem_euclid(-2.0), (-7.5f64).rem_euclid(2.0), (-7.5f64).div_euclid(2.0));
    println!("{} {} {}", -7.5 % 2.0, 5.0f64.powi(-2), 2.0f64.powf(0.5));
    println!("{} {} {} {}", (0.5f64).mul_add(4.0, 1.0), 9f64.sqrt(), (-1.0f64).sqrt().is_nan(), 27f64.cbrt());
    println!("{} {} {}", 1.0f64.copysign(-0.0), 3.0f64.hypot(4.0), 1e300 * 1e10);
    println!("{:?} {:?}", 1.0f64.clamp(2.0, 3.0), f64::NAN.clamp(2.0, 3.0).is_nan());
    println!("{} {} {}", f32::MAX as f64, 0.1f32 as f64, 0.1f64 as f32);
    println!("{} {}", 0.1 + 0.2, 0.1f32 + 0.2f32);
    println!("{:?} {:?}", 1.0f64.next_up(), 1.0f64.next_down());
    println!("{:?} {}", f64::from_bits(0x7ff8_0000_0000_0001).to_bits(), f32::from_bits(0x3fc00000));
    println!("{:?} {:?}", [1.0, 2.0].iter().sum::<f64>(), [1.5f32, 2.0].iter().product::<f32>());
    println!("{:5}|{:<5}|{:^5}|{:>5}|{:05}|{:+.1}", 1.5, 1.5, 1.5, 1.5, -1.5, 2.25);
    println!("{:?} {} {:?}", 1e21, 1e21, 1.0e-7);
    println!("{:.1} {:.1} {:.1} {:.0} {:.0}", 0.25, 0.35, 0.45, 0.5, 1.5);
    println!("{:?} {:?}", 100000000.0f32, 16777216f32);
}
