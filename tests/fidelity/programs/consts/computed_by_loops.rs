// Constants made by loops, recursion, generics and traits.
use std::fmt::Debug;
use std::marker::PhantomData;
const fn fib(n: usize) -> u64 {
    let mut a = [0u64; 50];
    a[1] = 1;
    let mut i = 2;
    while i <= n {
        a[i] = a[i - 1] + a[i - 2];
        i += 1;
    }
    a[n]
}
const fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}
const TAB: [u32; 256] = {
    let mut t = [0; 256];
    let mut i = 0;
    while i < 256 {
        let mut c = i as u32;
        let mut k = 0;
        while k < 8 {
            c = if c & 1 != 0 { 0xEDB88320 ^ (c >> 1) } else { c >> 1 };
            k += 1;
        }
        t[i] = c;
        i += 1;
    }
    t
};
const fn crc(b: &[u8]) -> u32 {
    let mut c = !0u32;
    let mut i = 0;
    while i < b.len() {
        c = TAB[((c ^ b[i] as u32) & 255) as usize] ^ (c >> 8);
        i += 1;
    }
    !c
}
const CRC: u32 = crc(b"123456789");
static A: &[&str] = &["x", B, C[1]];
static B2: &u8 = &BX;
static BX: u8 = 5;
const B: &str = "b";
const C: [&str; 2] = ["c0", concat!("c", 1)];
static SELF: Node = Node { n: 1, next: Some(&SELF2) };
static SELF2: Node = Node { n: 2, next: Some(&SELF) };
struct Node {
    n: u8,
    next: Option<&'static Node>,
}
struct Mat<const R: usize, const K: usize>([[i32; K]; R]);
impl<const R: usize, const K: usize> Mat<R, K> {
    const CELLS: usize = R * K;
    const fn t(self) -> Mat<K, R> {
        let mut o = [[0; R]; K];
        let mut i = 0;
        while i < R {
            let mut j = 0;
            while j < K {
                o[j][i] = self.0[i][j];
                j += 1;
            }
            i += 1;
        }
        Mat(o)
    }
    fn mul<const L: usize>(&self, o: &Mat<K, L>) -> Mat<R, L> {
        let mut r = [[0; L]; R];
        for i in 0..R {
            for j in 0..L {
                r[i][j] = (0..K).map(|k| self.0[i][k] * o.0[k][j]).sum();
            }
        }
        Mat(r)
    }
}
trait Shape {
    const N: usize;
    const NAME: &'static str = "none";
    const ARR: [u8; 2] = [Self::N as u8, 1];
    fn n() -> usize {
        Self::N * 2
    }
}
struct T;
struct Q<S>(PhantomData<S>);
impl Shape for T {
    const N: usize = 3;
    const NAME: &'static str = "t";
}
impl<S: Shape> Shape for Q<S> {
    const N: usize = S::N + 1;
}
impl<S: Shape, U: Shape> Shape for (S, U) {
    const N: usize = S::N * U::N;
    const NAME: &'static str = if S::N > 3 { S::NAME } else { U::NAME };
}
struct Assert<const B: bool>;
trait IsTrue {}
impl IsTrue for Assert<true> {}
fn only<const N: usize>() -> usize
where
    [u8; N]: Default,
{
    const {
        assert!(N < 40);
        N * 2
    }
}
const fn parse(s: &str) -> Option<i64> {
    let b = s.as_bytes();
    let (neg, mut i) = match b {
        [b'-', ..] => (true, 1),
        _ => (false, 0),
    };
    if i == b.len() {
        return None;
    }
    let mut r = 0i64;
    while i < b.len() {
        match b[i] {
            d @ b'0'..=b'9' => {
                r = match r.checked_mul(10) {
                    Some(x) => x + (d - b'0') as i64,
                    None => return None,
                }
            }
            _ => return None,
        }
        i += 1;
    }
    Some(if neg { -r } else { r })
}
const PARSED: [Option<i64>; 4] = [parse("42"), parse("-7"), parse("4x"), parse("99999999999999999999")];
enum Disc {
    A = 1 + gcd(12, 18) as isize,
    B,
    C = {
        const X: isize = 3;
        X * X * 10
    },
    D = -5,
}
#[repr(u8)]
#[derive(Debug, Clone, Copy)]
enum R8 {
    X(u16) = 7,
    Y { a: bool } = 9,
    Z,
}
impl R8 {
    fn d(&self) -> u8 {
        unsafe { *(self as *const Self as *const u8) }
    }
}
const CLOS: fn(i32) -> i32 = |x| x * 3;
const OPTS: Option<fn(&str) -> usize> = Some(str::len);
static FNS: [(&str, fn(f64) -> f64); 3] = [("sqrt", f64::sqrt), ("neg", |x| -x), ("id", std::convert::identity)];
struct Stack<T, const N: usize> {
    a: [Option<T>; N],
    n: usize,
}
impl<T: Copy + Debug, const N: usize> Stack<T, N> {
    const EMPTY: Option<T> = None;
    const fn new() -> Self {
        Stack { a: [Self::EMPTY; N], n: 0 }
    }
    fn push(&mut self, t: T) -> Result<(), T> {
        *self.a.get_mut(self.n).ok_or(t)? = Some(t);
        self.n += 1;
        Ok(())
    }
}
trait Lend {
    type Item<'a>
    where
        Self: 'a;
    fn next(&mut self) -> Option<Self::Item<'_>>;
}
struct Win<'s, T, const N: usize>(&'s mut [T], usize);
impl<T, const N: usize> Lend for Win<'_, T, N> {
    type Item<'a>
        = &'a mut [T; N]
    where
        Self: 'a;
    fn next(&mut self) -> Option<&mut [T; N]> {
        let i = self.1;
        self.1 += 1;
        self.0.get_mut(i..i + N)?.try_into().ok()
    }
}
const fn mx<const N: usize>(a: [i32; N]) -> i32 {
    let mut m = i32::MIN;
    let mut i = 0;
    while i < N {
        if a[i] > m {
            m = a[i]
        }
        i += 1
    }
    m
}
const MUTR: i32 = {
    let mut x = 1;
    {
        let r = &mut x;
        *r += 5;
    }
    let mut a = [1, 2, 3];
    a[1] = x;
    let [p, q, ..] = &mut a;
    std::mem::swap(p, q);
    a[0] * 100 + a[1]
};
const BIG: u128 = u128::MAX / 3 + (1 << 100);
const FL: f64 = {
    let mut s = 0.0;
    let mut i = 1;
    while i < 20 {
        s += 1.0 / (i * i) as f64;
        i += 1;
    }
    s
};
const STR: &str = {
    let s = "hello world";
    let (a, _) = s.split_at(5);
    a
};
const B8: [u8; 3] = *b"abc";
const SH: (u8, i8, u32) = (0x81u8.rotate_left(1), (-128i8).wrapping_neg(), (-1i32) as u32 >> 28);
fn main() {
    println!("{} {} {:x} {:?} {}", fib(40), gcd(48, 36), CRC, A, B2);
    println!("{} {}", SELF.next.unwrap().next.unwrap().n, std::ptr::eq(SELF.next.unwrap().next.unwrap(), &SELF));
    let m = Mat([[1, 2, 3], [4, 5, 6]]);
    let p = m.mul(&Mat([[1], [0], [2]]));
    println!("{:?} {} {:?}", p.0, Mat::<2, 3>::CELLS, const { Mat([[1, 2], [3, 4], [5, 6]]).t().0 });
    println!(
        "{} {} {} {:?} {} {}",
        Q::<Q<T>>::N,
        <(Q<T>, T)>::N,
        <(Q<T>, T)>::NAME,
        Q::<T>::ARR,
        <(T, T) as Shape>::n(),
        <(T, Q<T>)>::NAME
    );
    println!("{} {:?}", only::<7>(), PARSED);
    println!("{} {} {} {}", Disc::A as u8, Disc::B as i32, Disc::C as u64, Disc::D as i8);
    println!("{} {} {} {}", R8::X(3).d(), R8::Y { a: true }.d(), R8::Z.d(), size_of::<R8>());
    println!("{} {:?} {:?}", CLOS(4), OPTS.map(|f| f("abc")), FNS.map(|(n, f)| (n, f(4.0))));
    static mut S: Stack<u8, 2> = Stack::new();
    unsafe {
        let s = &mut *&raw mut S;
        println!("{:?} {:?} {:?} {:?}", s.push(1), s.push(2), s.push(3), s.a);
    }
    let mut d = [1, 2, 3, 4];
    {
        let mut l = Win::<_, 2>(&mut d, 0);
        while let Some(w) = l.next() {
            w[1] += w[0];
        }
    }
    println!("{d:?}");
    println!("{} {} {} {} {} {:?} {:?}", mx([3, 9, 2]), MUTR, BIG, FL, STR, B8, SH);
    const fn ev(n: u32) -> bool {
        match n {
            0 => true,
            n => od(n - 1),
        }
    }
    const fn od(n: u32) -> bool {
        match n {
            0 => false,
            n => ev(n - 1),
        }
    }
    const E: bool = ev(100);
    println!("{E} {}", const { if E { "even" } else { "odd" } });
    let arr = [const { Vec::<u8>::new() }; 3];
    println!("{arr:?} {}", [const { 1 + 1 }; 2].len());
    let z: [String; 2] = std::array::from_fn(|i| i.to_string());
    println!("{z:?}");
    let _: Assert<{ 3 > 2 }> = Assert;
    static Z: [[u8; 2]; 2] = [[1; 2]; 2];
    println!("{}", Z[1][0]);
}
