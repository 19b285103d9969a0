use std::borrow::Cow;
use std::fmt::{self, Write};
struct P(i32, f64);
impl fmt::Display for P {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            write!(f, "<{}>", self.0)
        } else if let Some(p) = f.precision() {
            write!(f, "{:.*}", p, self.1)
        } else {
            f.pad(&format!("{}/{}", self.0, self.1))
        }
    }
}
impl fmt::Debug for P {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("P").field("a", &self.0).field("b", &format_args!("{:e}", self.1)).finish_non_exhaustive()
    }
}
struct L;
impl fmt::Debug for L {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entry(&"k", &1).entry(&2, &Some(())).finish()?;
        f.debug_list().entries([1, 2]).finish()?;
        f.debug_set().entry(&'x').finish()?;
        f.debug_tuple("T").field(&"q\n").finish()
    }
}
impl fmt::LowerHex for P {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::LowerHex::fmt(&self.0, f)
    }
}
fn main() {
    let p = P(-7, 1234.5678);
    println!("[{p:>12}] [{p:<12}] [{p:^12}] [{p:*^14}] [{p:#}] [{p:.2}] [{p:x}] [{p:#x}] {p:?}\n{p:#?}");
    println!("{:?}\n{:#?}", L, L);
    println!("{:>1$} {:>width$.prec$} {:.*} {2:?} {name}", 5, 8, 3, 1.23456, name = "n", width = 9, prec = 2);
    println!(
        "{:#010x} {:#b} {:#o} {:+} {:08.3} {:+08.2} {:e} {:E} {:?} {:?} {}",
        255,
        5,
        8,
        3,
        -1.5,
        2.345,
        1500.0,
        0.00012,
        1e21,
        1e-7,
        f32::MAX
    );
    println!("{:?} {:?} {:?} {} {:?}", f64::NAN, -0.0, f64::INFINITY, 1.0e15, 1.0e16);
    println!("{:?} {:?} {}", "tab\t\u{1}\u{7f}é\u{200b}'\"", '\'', "x\u{301}".len());
    println!("{:5}|{:<5}|{:^5}|{:-^9}|{:05}", 'c', true, "ab", "mid", -12);
    more();
}
#[allow(dead_code)]
fn cow(s: &str) -> Cow<'_, str> {
    if s.contains(' ') { s.replace(' ', "_").into() } else { s.into() }
}
fn more() {
    let s = "Straße ΑΣ ΟΔΟΣ, ǆ İ";
    println!("{} {}", s.to_lowercase(), s.to_uppercase());
    println!("{:?}", s.char_indices().rev().take(4).collect::<Vec<_>>());
    println!(
        "{:?} {:?} {:?}",
        "a,b,,c".splitn(3, ',').collect::<Vec<_>>(),
        "a,b,,c".rsplitn(2, ',').collect::<Vec<_>>(),
        "a\nb\r\nc\n".lines().collect::<Vec<_>>()
    );
    println!(
        "{:?} {:?}",
        "a1b22c".split(|c: char| c.is_ascii_digit()).collect::<Vec<_>>(),
        "one  two".split_whitespace().rev().collect::<Vec<_>>()
    );
    println!("{:?} {:?} {:?}", "k=v=w".split_once('='), "k=v=w".rsplit_once("="), "xxabxx".trim_matches('x'));
    println!(
        "{:?} {:?}",
        "a-b_c".split(['-', '_']).collect::<Vec<_>>(),
        "a.b.".split_terminator('.').collect::<Vec<_>>()
    );
    println!(
        "{:?} {:?} {:?}",
        "abcabc".match_indices("bc").collect::<Vec<_>>(),
        "abcabc".rfind("a"),
        "abc".find(char::is_uppercase)
    );
    println!("{:?} {:?} {:?} {:?}", "12x".parse::<i32>(), "".parse::<u8>(), "256".parse::<u8>(), "-".parse::<i8>());
    println!(
        "{:?} {:?} {:?} {:?}",
        "1e400".parse::<f64>(),
        "nan".parse::<f32>(),
        ".5".parse::<f64>(),
        "x".parse::<f64>()
    );
    println!("{:?} {:?} {:?}", "tru".parse::<bool>(), "ab".parse::<char>(), u8::from_str_radix("zz", 36));
    println!("{} {} {}", "é\n".escape_unicode(), "é\n\"".escape_debug(), "é\n".escape_default());
    println!("{} {} {}", cow("a b"), cow("ab"), matches!(cow("ab"), Cow::Borrowed(_)));
    let mut t = String::from("héllo");
    t.insert(1, 'X');
    t.insert_str(0, ">>");
    println!("{t} {:?} {:?}", t.pop(), t.remove(3));
    t.replace_range(..2, "«");
    t.retain(|c| c != 'l');
    println!("{t} {:?}", t.drain(..2).collect::<String>());
    println!("{:?} {:?}", String::from_utf8(vec![0xff, 65]), String::from_utf8_lossy(&[65, 0xe2, 0x82, 66]));
    println!(
        "{:?} {:?}",
        std::str::from_utf8(b"ab\xe2\x82").map_err(|e| (e.valid_up_to(), e.error_len())),
        "😀".encode_utf16().collect::<Vec<_>>()
    );
    let mut w = String::new();
    write!(w, "{:03}", 7).unwrap();
    writeln!(w, "-{}", 8).unwrap();
    print!("{w}");
    println!("{:?} {:?} {:?}", 'ß'.to_uppercase().collect::<String>(), '٣'.is_numeric(), char::from_u32(0xd800));
    println!(
        "{:?} {:?} {} {}",
        "ab".repeat(3),
        ["a", "b"].join("/"),
        "ab" < "b",
        "Zebra".eq_ignore_ascii_case("zEBRA")
    );
    println!("{:?} {:?}", "abc".get(1..), "é".get(1..));
    println!("{:?}", "mary had".chars().map(|c| c.to_ascii_uppercase()).rev().collect::<String>());
    println!(
        "{:?}",
        std::panic::catch_unwind(|| {
            let s = "é";
            s[1..].len()
        })
        .is_err()
    );
}
