use std::fmt;
use std::ops::*;

#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default)]
struct V2 {
    x: f32,
    y: f32,
}
macro_rules! op {
    ($($t:ident $f:ident $o:tt),*) => { $(
        impl $t for V2 {
            type Output = V2;
            fn $f(self, r: V2) -> V2 { V2 { x: self.x $o r.x, y: self.y $o r.y } }
        }
        impl<'a> $t<&'a V2> for &V2 {
            type Output = V2;
            fn $f(self, r: &'a V2) -> V2 { *self $o *r }
        }
    )* };
}
op!(Add add +, Sub sub -);
impl Mul<f32> for V2 {
    type Output = V2;
    fn mul(self, k: f32) -> V2 {
        V2 { x: self.x * k, y: self.y * k }
    }
}
impl Mul<V2> for f32 {
    type Output = V2;
    fn mul(self, v: V2) -> V2 {
        v * self
    }
}
impl Mul for V2 {
    type Output = f32;
    fn mul(self, o: V2) -> f32 {
        self.x * o.x + self.y * o.y
    }
}
impl Neg for V2 {
    type Output = V2;
    fn neg(self) -> V2 {
        self * -1.0
    }
}
impl AddAssign for V2 {
    fn add_assign(&mut self, o: V2) {
        self.x += o.x;
        self.y += o.y;
    }
}
impl Index<usize> for V2 {
    type Output = f32;
    fn index(&self, i: usize) -> &f32 {
        [&self.x, &self.y][i]
    }
}
impl IndexMut<usize> for V2 {
    fn index_mut(&mut self, i: usize) -> &mut f32 {
        if i == 0 { &mut self.x } else { &mut self.y }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Set(u16);
impl BitOr for Set {
    type Output = Set;
    fn bitor(self, o: Set) -> Set {
        Set(self.0 | o.0)
    }
}
impl BitAnd for Set {
    type Output = Set;
    fn bitand(self, o: Set) -> Set {
        Set(self.0 & o.0)
    }
}
impl Not for Set {
    type Output = Set;
    fn not(self) -> Set {
        Set(!self.0)
    }
}
impl ShlAssign<u32> for Set {
    fn shl_assign(&mut self, n: u32) {
        self.0 <<= n;
    }
}
impl Rem<u16> for Set {
    type Output = bool;
    fn rem(self, n: u16) -> bool {
        self.0 >> n & 1 == 1
    }
}
impl fmt::Debug for Set {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_set().entries((0..16).filter(|&i| *self % i)).finish()
    }
}

struct Table {
    rows: Vec<(String, i32)>,
}
impl Index<&str> for Table {
    type Output = i32;
    fn index(&self, k: &str) -> &i32 {
        &self.rows.iter().find(|r| r.0 == k).expect("no such row").1
    }
}
impl IndexMut<&str> for Table {
    fn index_mut(&mut self, k: &str) -> &mut i32 {
        if self.rows.iter().all(|r| r.0 != k) {
            self.rows.push((k.to_string(), 0));
        }
        &mut self.rows.iter_mut().find(|r| r.0 == k).unwrap().1
    }
}
struct Temp(f64);
impl PartialEq<f64> for Temp {
    fn eq(&self, o: &f64) -> bool {
        self.0 == *o
    }
}
impl PartialOrd<f64> for Temp {
    fn partial_cmp(&self, o: &f64) -> Option<std::cmp::Ordering> {
        self.0.partial_cmp(o)
    }
}
struct Wrap(Vec<i32>);
impl Deref for Wrap {
    type Target = Vec<i32>;
    fn deref(&self) -> &Vec<i32> {
        &self.0
    }
}
impl DerefMut for Wrap {
    fn deref_mut(&mut self) -> &mut Vec<i32> {
        &mut self.0
    }
}

fn main() {
    let (a, b) = (V2 { x: 1.0, y: 2.0 }, V2 { x: 0.5, y: -1.0 });
    println!("{:?} {:?} {:?}", a + b, &a - &b, 2.0 * -a);
    println!("{} {}", a * b, (a * 2.0).y);
    let mut c = a;
    c += b;
    c[1] += 10.0;
    c[0] *= 4.0;
    println!("{:?} {} {:?}", c, c[1], a.partial_cmp(&b));
    let mut s = Set(0b101) | Set(0b10);
    println!("{:?} {:?}", s, s & !Set(1));
    s <<= 3;
    println!("{:?} {}", s, s % 4);
    let mut t = Table { rows: vec![] };
    t["a"] += 5;
    t["b"] = t["a"] * 2;
    t["a"] -= 1;
    println!("{} {} {}", t["a"], t["b"], t.rows.len());
    println!("{} {}", Temp(1.5) == 1.5, Temp(1.5) < 1.0);
    let mut w = Wrap(vec![3, 1]);
    w.push(2);
    w.sort();
    w[0] = 9;
    println!("{:?} {} {:?}", *w, w.len(), w.iter().max());
    let mut n = 5u8;
    n += 3;
    n <<= 1;
    n %= 7;
    n |= 8;
    n ^= 1;
    println!("{n} {:?}", std::ops::Range { start: 1, end: 3 }.contains(&2));
}
