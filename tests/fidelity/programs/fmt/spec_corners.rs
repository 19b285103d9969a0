// Widths, fills, alignment, signs, alternate forms and arguments by position and name.
use std::fmt;
struct Plain(&'static str);
impl fmt::Display for Plain { fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { f.pad(self.0) } }
struct Flags;
impl fmt::Display for Flags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {:?} {:?} {} {} {} {}", f.width(), f.precision(), f.fill(), f.alternate(), f.sign_plus(), f.sign_minus(), f.sign_aware_zero_pad())?;
        match f.align() { Some(fmt::Alignment::Left) => f.write_str(" <"), Some(fmt::Alignment::Right) => f.write_str(" >"), Some(fmt::Alignment::Center) => f.write_str(" ^"), None => Ok(()) }
    }
}
impl fmt::LowerHex for Flags { fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { f.pad_integral(false, "0q", "123") } }
fn main() {
    println!("[{:5}] [{:<5}] [{:^5}] [{:>5}] [{:*^9}] [{:é>6}]", "ab", "ab", "ab", "ab", "ab", "ab");
    println!("[{:.1}] [{:5.1}] [{:>5.3}] [{:.0}]", "äöü", "äöü", "äöüx", "abc");
    println!("[{:5}] [{:<5}] [{:^5}] [{:>5}] [{:05}] [{:+}] [{:<05}] [{:#06x}] [{:#b}] [{:#010b}]", 42, 42, 42, 42, -42, 42, 42, 42, 5, 5);
    println!("[{:5}] [{:?}] [{:<3}|] [{:^7?}]", 'x', '\n', 'é', 'y');
    println!("[{:5}] [{:>7}] [{:?}]", true, false, ());
    println!("{0} {1} {0:?} {name} {name:>8} {1:02$}", 1, 2, 4, name = "n");
    let (width, precision, value) = (12, 3, 3.14159);
    println!("[{value:width$.precision$}] [{value:<width$}] [{:>1$}] [{:.*}] [{:>w$.p$}]", 7, 2, 1.23456, 9.87654, w = 9, p = 2);
    println!("{{}} {{{}}} }}{{", 5);
    println!("[{:8}] [{:>8}] [{:^8.2}] [{:08}]", Plain("abc"), Plain("abc"), Plain("abc"), Plain("abc"));
    println!("{} | {:5} | {:<+#08.3} | {:_^9} | {:-}", Flags, Flags, Flags, Flags, Flags);
    println!("{:x} {:#x} {:8x} {:#08x} {:<8x}| {:+x}", Flags, Flags, Flags, Flags, Flags, Flags);
    println!("{:?} {:?} {:?}", "a\"b\\c\t\u{7f}\u{301}e\u{200b}", 'a'..='e', "\u{1F600}\0");
    println!("{:#?}", (1, "two", [3.0, 4.5], Some(Plain2 { x: 1, y: None }), ()));
    println!("{:02x?} {:02X?} {:#x?}", [1, 171, 255], [1, 171, 255], Some(31));
    println!("{:5?} {:<5?}| {:05.1?} {:+?}", Some(1), Some(2), [1.25, 2.0], [3]);
    println!("{:e} {:E} {:e} {:.2e} {:10.1e}| {:e}", 1500u32, 1500u32, 0, 123456, 987654, u64::MAX);
    println!("{:p} {:p} {:#p} {:10p}|", 0x10 as *const u8, std::ptr::null::<u64>(), 0xabc as *const u8, 0xf as *const i32);
    println!("{}", format_args!("{:>5}|{}", 1, format_args!("{:<4}|", 2)));
    println!("{:?} {:?}", format!("{:>1$}", "x", 0), format!("{:.1$}", "xyz", 2));
    eprintln!("{:?}", std::panic::catch_unwind(|| format!("{:1$}", 1, usize::from(u16::MAX))).map(|it| it.len()));
}
#[derive(Debug)]
struct Plain2 { #[allow(dead_code)] x: i32, #[allow(dead_code)] y: Option<u8> }
