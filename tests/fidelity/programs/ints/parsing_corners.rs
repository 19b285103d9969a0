// Texts as integers: signs, radixes, what is refused and why.
fn main() {
    for text in ["", "+", "-", "+5", "-0", "-1", "007", "255", "256", "-128", "-129", " 5", "5 ", "1_000", "0x10", "٣", "99999999999999999999999", "+-3", "９"] {
        println!("{text:?}: {:?} {:?} {:?} {:?}", text.parse::<u8>(), text.parse::<i8>(), text.parse::<u64>(), text.parse::<i128>());
        println!("  {:?} {:?}", text.parse::<std::num::NonZeroU8>(), text.parse::<u8>().map_err(|error| error.kind().clone()));
    }
    for radix in [2, 3, 8, 16, 20, 36] {
        for text in ["1010", "zZ", "-ff", "+7", "fFfF", "g"] {
            print!("{:?} ", i32::from_str_radix(text, radix).map_err(|error| error.to_string()));
        }
        println!();
    }
    for text in ["true", "True", "false", "", "1"] {
        println!("{:?}", text.parse::<bool>());
    }
    for text in ["a", "", "ab", "ß", "\u{1F600}"] {
        println!("{:?}", text.parse::<char>().map_err(|error| error.to_string()));
    }
    println!("{:?} {:?}", u8::from_ascii_digit(b'7'), "12".bytes().fold(0u32, |sum, byte| sum * 10 + u32::from(byte - b'0')));
    println!("{:?} {:?}", "1.2.3.4".parse::<std::net::Ipv4Addr>(), "1.2.3.256".parse::<std::net::Ipv4Addr>());
    println!("{:?} {:?}", "::1".parse::<std::net::Ipv6Addr>(), "[2001:db8::1]:80".parse::<std::net::SocketAddr>());
    println!("{} {}", std::net::Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 1, 0, 0, 1), std::net::Ipv4Addr::LOCALHOST.to_ipv6_mapped());
}
trait Digit { fn from_ascii_digit(byte: u8) -> Option<u8>; }
impl Digit for u8 { fn from_ascii_digit(byte: u8) -> Option<u8> { (byte as char).to_digit(10).map(|it| it as u8) } }
