// Integers, floats, chars and bools from text, and what their errors say.
use std::num::IntErrorKind;
use std::str::FromStr;

fn show<T: FromStr + std::fmt::Debug>(texts: &[&str]) where T::Err: std::fmt::Display + std::fmt::Debug {
    for text in texts {
        match text.parse::<T>() {
            Ok(value) => println!("{text:?} = {value:?}"),
            Err(error) => println!("{text:?}: {error} / {error:?}"),
        }
    }
}

fn main() {
    show::<u8>(&["0", "255", "256", "-1", "+7", "", "+", "-", " 1", "1 ", "0x10", "007", "99999999999999999999"]);
    show::<i8>(&["-128", "-129", "127", "128", "-0", "--1"]);
    show::<i128>(&["170141183460469231731687303715884105727", "170141183460469231731687303715884105728", "-170141183460469231731687303715884105728"]);
    show::<f64>(&["1", "1.", ".5", ".", "1e3", "1E-3", "1e", "inf", "-infinity", "NaN", "nan(1)", "1_000", "0x1p3", "1e400", "4.9e-324", "2e-324", "123456789012345678901234567890", "0.1e1", "+1.5"]);
    show::<f32>(&["16777217", "3.4028236e38", "3.4028235677973366e38", "1e-46", "0.3"]);
    show::<bool>(&["true", "True", "", "false"]);
    show::<char>(&["a", "é", "", "ab", "\u{1F600}"]);
    show::<std::num::NonZeroU8>(&["1", "0", "256"]);
    show::<std::net::Ipv4Addr>(&["127.0.0.1", "256.1.1.1", "1.2.3", "01.2.3.4"]);
    for (text, radix) in [("ff", 16), ("FF", 16), ("zz", 36), ("12", 2), ("-101", 2), ("777", 8)] {
        println!("{:?}", i32::from_str_radix(text, radix));
    }
    println!("{:?}", "".parse::<i32>().map_err(|error| *error.kind() == IntErrorKind::Empty));
    println!("{:?}", u64::from_str_radix("18446744073709551616", 10).map_err(|error| error.kind().clone()));
    println!("{:?} {:?} {:?}", '7'.to_digit(10), 'g'.to_digit(16), char::from_digit(11, 16));
}
