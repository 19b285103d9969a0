// f32 and f64 as text: shortest, fixed, scientific, padded, subnormal, huge.
fn main() {
    let doubles = [0.0, -0.0, 1.0, 0.1, 0.3, 1e15, 1e16, 1e17, 123456789012345680.0, 1e-5, 1e-7, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.5, 1.5, 2.5, 9.995, 1e21, 1e22, 4.35, 0.000001, 1.0 / 3.0, f64::EPSILON];
    for value in doubles {
        println!("{value} {value:?} {value:e} {value:E} {value:.0} {value:.1} {value:.3} {value:.20}");
        println!("  [{value:10}] [{value:<10}] [{value:^+12.2}] [{value:012.3}] [{value:+}] [{value:.2e}] [{value:#?}]");
    }
    for value in [0.1f32, 16777216.0, 16777217.0, 3.4028235e38, 1e-45, 1.1754944e-38, f32::NAN, 0.3, 1e7, 1e16, 1e17, 8.5, -2.5] {
        println!("{value} {value:?} {value:e} {value:.3} {value:8.2} {} {:?}", value as f64, value.to_bits());
    }
    for precision in 0..6 {
        println!("{:.*} {:.precision$} {:>2$.3$}", precision, 2.718281828459045, 10, precision);
    }
    println!("{:?} {:?}", 1e300 * 1e10, (0.1f64 + 0.2, 0.1f32 + 0.2));
    println!("{:?}", [1.0, 2.5e-10, 1e100].map(|it: f64| it.to_string()));
    println!("{:5}|{:<5}|{:^5}|{:>5}|{:05}", 1.5, 1.5, 1.5, 1.5, -1.5);
}
