// Texts as floats: rounding to even, limits, spellings, errors.
fn main() {
    let texts = ["", ".", "1.", ".5", "-.5e1", "e5", "1e", "1e+", "1e400", "-1e400", "1e-400", "inf", "-Infinity", "NaN", "nan", "+nan", "infinit", "0x1p3", "1_0", " 1", "9007199254740993", "9007199254740992.5", "9007199254740993.0000001", "2.2250738585072011e-308", "2.4703282292062327e-324", "2.4703282292062328e-324", "4.9e-324", "1.7976931348623158e308", "1.7976931348623159e308", "0.1e-1", "123456789012345678901234567890", "0.000000000000000000000000000000000000000000001", "1e23", "8.41e21", "3.4028236e38", "3.4028235677973366e38", "7.0064923216240853e-46", "1.401298464324817e-45", "6.631236846766476e-316", "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017977587207096330286416692887910946555547851940402630657488671505820681908902000708383676273854845817711531764475730270069855571366959622842914819860834936475292719074168444365510704342711559699508093042880"];
    for text in texts {
        let shown = if text.len() > 40 { &text[..40] } else { text };
        println!("{shown:?} {:?} {:?}", text.parse::<f64>(), text.parse::<f32>());
        if let Ok(value) = text.parse::<f64>() {
            println!("  {:016x} {:?}", value.to_bits(), value.classify());
        }
    }
    let mut bits = 0x9e37_79b9_7f4a_7c15u64;
    for _ in 0..40 {
        bits = bits.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let value = f64::from_bits(bits);
        let text = format!("{value:?}");
        assert!(value.is_nan() || text.parse::<f64>().unwrap().to_bits() == bits, "{text}");
        let single = f32::from_bits(bits as u32);
        assert!(single.is_nan() || single.to_string().parse::<f32>().unwrap().to_bits() == bits as u32);
        println!("{text} {single:e}");
    }
}
