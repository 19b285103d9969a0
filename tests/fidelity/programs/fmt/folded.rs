use std::fmt;
struct Show(&'static str);
impl fmt::Display for Show {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        println!("  display of {}", self.0);
        f.write_str(self.0)
    }
}
impl fmt::Debug for Show {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        println!("  debug of {} {:?}", self.0, f.width());
        f.write_str(self.0)
    }
}
struct Loud(&'static str);
impl Drop for Loud { fn drop(&mut self) { println!("  drop {}", self.0) } }
impl fmt::Display for Loud {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { f.write_str(self.0) }
}
fn s(what: &'static str) -> Show { println!("  make {what}"); Show(what) }
fn l(what: &'static str) -> Loud { println!("  make {what}"); Loud(what) }
macro_rules! show { ($($t:tt)*) => { println!("{} -> {:?}", stringify!($($t)*), format_args!($($t)*).as_str()); } }
fn main() {
    show!("plain");
    show!("");
    show!("{{}}");
    show!("n {}", 1);
    show!("n {0} {0}", 1);
    show!("n {:?}", 1);
    show!("n {:02}", 1);
    show!("n {:>1}", "a");
    show!("s {}", "str");
    show!("s {:?}", "str");
    show!("s {}", r"raw \n");
    show!("c {}", 'c');
    show!("b {}", true);
    show!("f {}", 1.5);
    show!("neg {}", -1);
    show!("big {}", 2147483647);
    show!("big {}", 2147483648u32);
    show!("suffix {}", 1u8);
    show!("suffix {}", 255u8);
    show!("suffix {}", 1_000i64);
    show!("hex {}", 0xff);
    show!("under {}", 1_000_000);
    show!("i128 {}", 170141183460469231731687303715884105727i128);
    show!("u128 {}", 340282366920938463463374607431768211455u128);
    show!("usize {}", 18446744073709551615usize);
    show!("i8 {}", 127i8);
    show!("bytes {:?}", b"x");
    show!("ref {}", &1);
    show!("ref {}", &&"x");
    show!("paren {}", (1));
    show!("paren {}", &("x"));
    show!("block {}", { 1 });
    show!("named {a}", a = 1);
    show!("named {a} {b}", a = 1, b = "x");
    show!("named {a} {a:?}", a = 1);
    show!("mixed {a} {b}", a = 1, b = 1 + 1);
    show!("width {:w$}", 1, w = 3);
    show!("width {} {:1$}", 1, 2);
    show!("concat {}", concat!("a", 1, true));
    show!("stringify {}", stringify!(a b));
    show!("line {}", line!() * 0);
    println!("{}", format_args!("module {}", module_path!()).as_str().is_some());
    show!("nested {}", format_args!("in"));
    show!("nested {:?}", format_args!("in"));
    show!("nested {}", format_args!("in {}", 1));
    show!("nested {}", &format_args!("in {}", 1));
    show!("nested {:5}", format_args!("in"));
    show!("nested {0} {0}", format_args!("in"));
    show!("nested {a}", a = format_args!("in"));
    show!("nested {} {}", format_args!("in {}", 1), 7);
    show!("{}", format_args!("{}", 5));
    show!(concat!("a", "{}"), 1);
    show!("wide ünï {}", "çödé");
    println!("order");
    println!("{} {} {}", s("a"), format_args!("{} {}", s("b"), s("c")), s("d"));
    println!("{:?} {:5?}", format_args!("{:?}", s("b")), s("e"));
    println!("{} {}", format_args!("{x} {y} {x}", y = s("y"), x = s("x")), s("z"));
    println!("{} {}", l("1"), format_args!("{} {}", l("2"), l("3")));
    println!("{0} {1} {0} {2}", 7, s("q"), "lit");
    println!("{b} {a} {c}", a = s("a"), b = 3, c = s("c"));
    println!("{:1$} {}", s("a"), 5);
    println!("{:>w$.p$} {} {}|", "abcdef", "lit", 8, w = 7, p = 2);
    let v = 5; let w = 3;
    println!("{v:>w$} {} {v} {}", 1, "z");
    println!("{}", format!("{}", "abc").capacity());
    println!("{}", format!("x{}y{}", "abc", 12).capacity());
    println!("{:?}", format_args!("a {} {:?}", "b", "c"));
    let p = std::panic::catch_unwind(|| panic!("n {}", 1)).unwrap_err();
    println!("{} {}", p.is::<&'static str>(), p.is::<String>());
    let p = std::panic::catch_unwind(|| panic!("{}", 1)).unwrap_err();
    println!("{} {}", p.is::<&'static str>(), p.is::<String>());
    let p = std::panic::catch_unwind(|| panic!("{}", "x")).unwrap_err();
    println!("{} {}", p.is::<&'static str>(), p.is::<String>());
    let p = std::panic::catch_unwind(|| panic!("{} {}", "x", format_args!("{}", 2))).unwrap_err();
    println!("{} {}", p.is::<&'static str>(), p.is::<String>());
    let p = std::panic::catch_unwind(|| unreachable!("n {}", 1)).unwrap_err();
    println!("{} {}", p.is::<&'static str>(), p.is::<String>());
    let p = std::panic::catch_unwind(|| unreachable!("n")).unwrap_err();
    println!("{} {}", p.is::<&'static str>(), p.is::<String>());
    let p = std::panic::catch_unwind(|| todo!("n {}", "x")).unwrap_err();
    println!("{} {}", p.is::<&'static str>(), p.is::<String>());
    let p = std::panic::catch_unwind(|| unimplemented!("n {}", v)).unwrap_err();
    println!("{} {}", p.is::<&'static str>(), p.is::<String>());
    let p = std::panic::catch_unwind(|| assert!(false, "n {}", 3)).unwrap_err();
    println!("{} {}", p.is::<&'static str>(), p.is::<String>());
    let p = std::panic::catch_unwind(|| assert_eq!(1, 2, "n {}", 3)).unwrap_err();
    println!("{} {}", p.is::<&'static str>(), p.is::<String>());
}
