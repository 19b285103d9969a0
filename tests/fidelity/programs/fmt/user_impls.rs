use std::fmt::{self, Binary, Debug, Display, Formatter, LowerHex, Write};

struct P {
    x: i32,
    y: i32,
}
impl Display for P {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            write!(f, "P[{} {}]", self.x, self.y)
        } else {
            write!(f, "({}, {})", self.x, self.y)
        }
    }
}
impl Debug for P {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pt").field("x", &self.x).field("y", &self.y).finish_non_exhaustive()
    }
}
impl LowerHex for P {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        LowerHex::fmt(&self.x, f)?;
        f.write_char(':')?;
        LowerHex::fmt(&self.y, f)
    }
}

struct Padded(&'static str);
impl Display for Padded {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(self.0)
    }
}

struct Flags;
impl Binary for Flags {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {:?} {:?} {} {} {}", f.width(), f.precision(), f.fill(), f.sign_plus(), f.alternate(), f.sign_aware_zero_pad())
    }
}

struct L(Vec<i32>);
impl Debug for L {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.0).entry(&"end").finish()
    }
}
struct M;
impl Debug for M {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_map().entry(&"k", &1).key(&2).value(&L(vec![3])).finish()
    }
}
struct T(u8, &'static str);
impl Debug for T {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_tuple("T").field(&self.0).field(&format_args!("<{}>", self.1)).finish()
    }
}
struct Fails;
impl Display for Fails {
    fn fmt(&self, _: &mut Formatter<'_>) -> fmt::Result {
        Err(fmt::Error)
    }
}
struct Num(i64);
impl Display for Num {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad_integral(self.0 >= 0, "0n", &self.0.unsigned_abs().to_string())
    }
}

fn main() {
    let p = P { x: 10, y: -1 };
    println!("{p} {p:#} {p:?} {p:x} {p:#x}");
    println!("{p:#?}");
    println!("{:>12}|{:>12}|", p, p.to_string());
    println!("{:>6}|{:<6}|{:^6}|{:.2}|", Padded("abc"), Padded("abc"), Padded("abc"), Padded("abc"));
    println!("{:b}\n{:*>+#08.3b}", Flags, Flags);
    println!("{:?} {:?} {:?}", L(vec![1, 2]), M, T(1, "t"));
    println!("{:#?}\n{:#?}\n{:#?}", L(vec![]), M, T(2, "u"));
    let mut s = String::new();
    println!("{:?} {s:?}", write!(s, "a{}b", Fails));
    println!("{:+} {:08} {:#} {:#8}|{:<6}|", Num(5), Num(-5), Num(7), Num(8), Num(9));
    let d: &dyn Display = &p;
    let v: [&dyn Debug; 3] = [&p, &"x", &1.5];
    println!("{d} {v:?}");
    println!("{:?}", fmt::from_fn(|f| f.write_str("from_fn")));
}
