// Width, precision, fill, sign, `$` arguments, nested formatting, debug helpers, padding by user code.
use std::fmt::{self, Display, Write};

struct Point { x: i32, y: f64 }
impl Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() { write!(f, "<")?; }
        if let Some(precision) = f.precision() { write!(f, "{} {:.*}", self.x, precision, self.y)?; } else { write!(f, "{} {}", self.x, self.y)?; }
        if f.sign_plus() { f.write_char('+')?; }
        write!(f, "{:?}{:?}{}", f.width(), f.fill(), if f.sign_aware_zero_pad() { "0" } else { "" })
    }
}
impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { f.debug_struct("Point").field("x", &self.x).field("y", &format_args!("{:.1}", self.y)).finish_non_exhaustive() }
}
struct Hex(Vec<u8>);
impl fmt::LowerHex for Hex { fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { self.0.iter().try_for_each(|b| fmt::LowerHex::fmt(b, f)) } }
struct Padded(&'static str);
impl Display for Padded { fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { f.pad(self.0) } }
struct Number(i64);
impl Display for Number { fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { f.pad_integral(self.0 >= 0, "N", &self.0.unsigned_abs().to_string()) } }
struct Tree(i32, Vec<Tree>);
impl fmt::Debug for Tree { fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { f.debug_tuple("Tree").field(&self.0).field(&self.1).finish() } }
struct Fails;
impl Display for Fails { fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result { Err(fmt::Error) } }

fn main() {
    let (width, precision, name) = (9, 2, "n");
    println!("[{:>width$}] [{:<1$}] [{:^2$.1$}] [{:*^9}] [{:#>+9.2}]", "r", 7, 9, "mid", 1.5);
    println!("[{:.*}] [{2:>3$}|{2}] [{name:?}] [{0:4$}]", 3, 2.71828, 5, 1, 4);
    println!("[{:width$.precision$}] [{:>0width$.precision$}] [{:<+width$}]", 3.14159, -2.5, 4);
    println!("{:#x} {:#010b} {:08o} {:+} {:#?} {:02X?} {:x?}", 255, 5, 64, 7, 1, [10, 171], vec![255]);
    println!("{:5}|{:<5}|{:^5}|{:>5}|{:05}|{:<05}|", 42, 42, 42, 42, 42, 42);
    println!("{:5}|{:<5}|{:^5}|{:>5}|{:.1}|{:5.1}|", "ab", "ab", "ab", "ab", "ab", "ab");
    println!("{:5}|{:?}|{:10?}|{:<6?}|{:e}|{:E}|{:.2e}", 'x', 'x', "q", Some(1), 1234.5, 0.00012, 123456);
    println!("{} {:#} {:+.1} {:08}", Point { x: 1, y: 2.5 }, Point { x: 1, y: 2.0 }, Point { x: 3, y: 0.25 }, Point { x: 4, y: 1.0 });
    println!("{:?} {:#?}", Point { x: 1, y: 2.55 }, Point { x: 1, y: 2.5 });
    println!("{:x} {:#04x} {:02x}", Hex(vec![1, 255]), Hex(vec![1, 255]), Hex(vec![1, 255]));
    println!("[{:>8}] [{:-^8}] [{:.2}] [{:5.3}]", Padded("pad"), Padded("pad"), Padded("pad"), Padded("pad"));
    println!("[{:>8}] [{:+}] [{:#08}] [{:<6}]", Number(42), Number(42), Number(-42), Number(-4));
    println!("{:?}", Tree(1, vec![Tree(2, vec![]), Tree(3, vec![Tree(4, vec![])])]));
    println!("{:#?}", Tree(1, vec![Tree(2, vec![])]));
    println!("{:?} {:#?}", (1, "a", [Some(2.0), None]), ((), (1,)));
    println!("{:?} {:?}", f32::MAX, [0.1f32, 1e-10]);
    println!("{:p} {:?}", std::ptr::null::<u8>(), std::ptr::without_provenance::<u8>(16));
    println!("{{}} {{{}}} {:?} {:?}", 1, "a\"b\n", '\'');
    println!("{0} {0:?} {1:>2$} {name} {name:>0$}", 3, "z", 4);
    let mut out = String::new();
    println!("{:?} {out:?}", write!(out, "{}{}", 1, Fails));
    println!("{}", format_args!("{} {}", format_args!("{:03}", 7), "nested"));
    println!("{:>10} {:<10}|", format!("{:?}", Some("x")), format_args!("{}", 5).to_string());
    println!("{:?} {:?}", std::time::Duration::from_micros(1500), std::time::Duration::from_secs(90));
    println!("{:8.3?}|{:>+6}|{:^+7.2}", std::time::Duration::from_millis(1234), 5, 1.005);
    println!("{:?} {:?} {:?}", 0..3, ..=5, (std::ops::Bound::Included(1), std::cmp::Reverse(2)));
    println!("{:?}", std::collections::BTreeMap::from([("k", vec![1]), ("l", vec![])]));
    println!("{:#?}", std::collections::BTreeMap::from([(1, 'a')]));
    println!("{:?}", std::panic::catch_unwind(|| Fails.to_string()).is_err());
}
