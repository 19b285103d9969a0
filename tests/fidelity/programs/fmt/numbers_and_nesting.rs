// Numbers in all specifications, nested debug output.
use std::collections::*;
use std::fmt::Write as _;
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct U;
#[derive(Debug)]
struct T2(i32, &'static str);
#[derive(Debug)]
struct Nm<'a> {
    a: &'a [u8],
    b: Option<Box<Nm<'a>>>,
    c: (U,),
    r#type: BTreeMap<u8, Vec<T2>>,
}
#[derive(Debug)]
enum E {
    A,
    B(i32, f64),
    C { x: char, y: () },
}
struct H(u32);
macro_rules! im { ($($t:ident),*) => { $(impl std::fmt::$t for H { fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result { write!(f, concat!(stringify!($t), "({},{:?},{:?},{:?},{}{}{}{})"), self.0, f.width(), f.precision(), f.fill(), f.alternate() as u8, f.sign_plus() as u8, f.sign_minus() as u8, f.sign_aware_zero_pad() as u8)?; std::fmt::$t::fmt(&self.0, f) } })* } }
im!(LowerHex, UpperHex, Octal, Binary);
fn main() {
    let n = Nm {
        a: b"\x00a\"",
        b: Some(Box::new(Nm { a: &[], b: None, c: (U,), r#type: BTreeMap::new() })),
        c: (U,),
        r#type: [(1, vec![T2(-1, "q\n\u{301}\u{200b}")]), (2, vec![])].into(),
    };
    println!("{n:?}");
    println!("{n:#?}");
    println!("{:#06x?} {:02X?} {:#?}", n.a, n.a, (1, "a", [Some(E::A), None], E::B(1, 2.0), E::C { x: '\'', y: () }));
    println!("[{:#x}] [{:#010X}] [{:+o}] [{:>40b}] [{:*^.3x}]", H(255), H(255), H(8), H(5), H(16));
    for v in [
        0.0,
        -0.0,
        1.0,
        0.1,
        1.5,
        2.5,
        1e15,
        1e16,
        1e17,
        123456789.125,
        1e-5,
        1e-7,
        f64::MIN_POSITIVE,
        5e-324,
        f64::MAX,
        f64::EPSILON,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        0.30000000000000004,
        9.995,
        999.9999,
    ] {
        println!(
            "{v} {v:?} {v:e} {v:E} {v:.0} {v:.2} {v:.3e} {v:+} {v:10.1}| {v:<10.2e}| {v:^+10.1}| {v:010.2}| {:?} {}",
            v as f32, v as f32
        );
    }
    let (w, p) = (12, 3);
    println!("[{:w$.p$}] [{0:^+w$.p$e}] [{:.*}]", 3.14159, 2, 1.2345);
    let x = "str";
    println!("[{x:>w$.2}] [{x:-^7}] [{:?}] [{:5}] [{:<5}] [{:^5}]", x, 'c', true, "é");
}
