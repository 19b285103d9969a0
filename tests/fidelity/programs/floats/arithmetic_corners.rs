// Rounding, remainders, comparisons, casts and the like, of special values too.
fn main() {
    let values = [0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.7, -3.7, 1e300, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MIN_POSITIVE, 4503599627370497.5];
    for a in values {
        println!("{a:?}: {:?} {:?} {:?} {:?} {:?}", a.floor(), a.ceil(), a.round(), a.round_ties_even(), a.trunc());
        println!("  {:?} {:?} {:?} {:?} {:?}", a.fract(), a.abs(), a.signum(), a.is_sign_negative(), a.sqrt());
        println!("  {} {} {} {} {}", a as i32, a as u8, a as i64, a as u128, a as i8 as f32);
        println!("  {:?} {:?} {:?}", a.recip(), a.to_degrees(), a as f32);
        println!("  {:?} {:?} {:?}", a.next_up(), a.next_down(), a.classify());
        for b in [0.0, -0.0, 2.0, -3.0, f64::NAN, f64::INFINITY] {
            print!("  {:?}/{:?}/{:?}/{:?}/{:?}/{:?}", a % b, a.min(b), a.max(b), a.partial_cmp(&b), a.total_cmp(&b), a.copysign(b));
            println!(" {:?} {:?} {} {}", a.rem_euclid(b), a.div_euclid(b), a == b, a < b);
        }
    }
    println!("{:?} {:?} {:?}", 2f64.powi(10), 2f64.powi(-3), (-2f64).powi(3));
    println!("{:?} {:?}", 2.0f64.mul_add(3.0, 4.0), 1e16f64.mul_add(1.0, 1.0));
    println!("{:?} {:?}", f64::clamp(5.0, 0.0, 1.0), f64::NAN.clamp(0.0, 1.0));
    println!("{:?}", [3.0, f64::NAN, -1.0, f64::INFINITY, -0.0, 0.0].iter().copied().fold(f64::NEG_INFINITY, f64::max));
    let mut sorted = vec![3.0, f64::NAN, -1.0, f64::INFINITY, -0.0, 0.0, f64::NEG_INFINITY, -f64::NAN];
    sorted.sort_by(f64::total_cmp);
    println!("{:?}", sorted.iter().map(|it| (it.to_bits() >> 63, it.to_string())).collect::<Vec<_>>());
    println!("{:?} {:?}", i32::MAX as f32, u64::MAX as f64);
    println!("{:?} {:?} {:?}", f32::MAX as f64 as f32, 1e39f64 as f32, 1e-50f64 as f32);
    println!("{:?} {:?}", (0.1f64..0.5).contains(&0.5), (0.1f64..=0.5).contains(&0.5));
    println!("{:?} {:?}", [1.5f32, 2.5].iter().sum::<f32>(), [1.5f64, 2.5].iter().product::<f64>());
    println!("{:?}", f64::from_be_bytes([0x40, 9, 0x21, 0xfb, 0x54, 0x44, 0x2d, 0x18]));
    println!("{:?} {:?}", f64::midpoint(1.0, 4.0), f64::MAX.midpoint(f64::MAX));
}
