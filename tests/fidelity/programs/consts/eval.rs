use std::mem::size_of;

const fn fact(n: u64) -> u64 {
    let mut r = 1;
    let mut i = 2;
    while i <= n {
        r *= i;
        i += 1;
    }
    r
}
const fn primes<const N: usize>() -> [u32; N] {
    let mut out = [0; N];
    let (mut n, mut k) = (2, 0);
    while k < N {
        let mut i = 0;
        let mut ok = true;
        while i < k {
            if n % out[i] == 0 {
                ok = false;
                break;
            }
            i += 1;
        }
        if ok {
            out[k] = n;
            k += 1;
        }
        n += 1;
    }
    out
}
const fn hash(s: &str) -> u32 {
    let b = s.as_bytes();
    let mut h = 5381u32;
    let mut i = 0;
    while i < b.len() {
        h = h.wrapping_mul(33) ^ b[i] as u32;
        i += 1;
    }
    h
}

const F10: u64 = fact(10);
const PRIMES: [u32; 8] = primes();
static CRC: [u32; 16] = {
    let mut t = [0; 16];
    let mut i = 0;
    while i < 16 {
        let mut c = i as u32;
        let mut k = 0;
        while k < 4 {
            c = if c & 1 == 1 { 0xEDB88320 ^ (c >> 1) } else { c >> 1 };
            k += 1;
        }
        t[i] = c;
        i += 1;
    }
    t
};
const MASK: u8 = !0 << 3;
const A: i32 = B * 2;
const B: i32 = if size_of::<usize>() == 8 { 21 } else { 0 };
const TEXT: &str = concat!("a", 1, 2.5, true, 'c');
const NESTED: &[&[&str]] = &[&["a"], &[], &["b", TEXT]];
const HELLO: u32 = hash("hello");
const OPT: Option<Point> = Some(Point::new(1, -2));
const MAX: i32 = max(PRIMES[3] as i32, A);
static START: std::sync::Mutex<Point> = std::sync::Mutex::new(Point::new(3, 4));
const _: () = assert!(F10 == 3628800);

#[derive(Debug, Clone, Copy)]
struct Point {
    x: i32,
    y: i32,
}
impl Point {
    const ZERO: Self = Self::new(0, 0);
    const fn new(x: i32, y: i32) -> Self {
        Point { x, y }
    }
    const fn flip(mut self) -> Self {
        let t = self.x;
        self.x = self.y;
        self.y = t;
        self
    }
}
const fn max(a: i32, b: i32) -> i32 {
    match (a, b) {
        (a, b) if a > b => a,
        (_, b) => b,
    }
}
enum Level {
    Low = 1 << 2,
    High = Level::Low as isize + A as isize,
}
trait Id {
    const ID: u32;
    const TWICE: u32 = Self::ID * 2;
}
impl Id for u8 {
    const ID: u32 = hash("u8") % 100;
}
impl<T: Id> Id for Vec<T> {
    const ID: u32 = T::ID + 1000;
}

fn main() {
    println!("{F10} {PRIMES:?}");
    println!("{:x} {:x}", CRC[1], CRC[15]);
    println!("{MASK} {A} {B} {TEXT} {NESTED:?} {HELLO}");
    println!("{:?} {MAX} {:?}", OPT.map(Point::flip), Point::ZERO.flip());
    START.lock().unwrap().x += A;
    println!("{:?}", START.lock().unwrap());
    println!("{} {}", Level::Low as u8, Level::High as u8);
    println!("{} {} {}", <u8 as Id>::TWICE, <Vec<u8>>::ID, Vec::<Vec<u8>>::TWICE);
    println!("{}", const { fact(5) + 1 });
    println!("{:?}", [const { PRIMES[2] * 2 }; 3]);
    let arr = [0u8; fact(3) as usize];
    println!("{} {}", arr.len(), fact(arr.len() as u64));
    println!("{:?}", b"bytes".map(|b| b.wrapping_add(MASK)));
    println!("{} {}", i32::MAX.wrapping_add(1), u32::from_be_bytes(*b"abcd"));
    println!("{} {:?}", f32::EPSILON, std::f64::consts::TAU);
}
