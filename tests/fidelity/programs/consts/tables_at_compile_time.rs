// const fn, const blocks, tables, statics of every kind, associated consts, const panics that do not happen.
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::sync::{LazyLock, Mutex, OnceLock};
const fn crc_table() -> [u32; 256] { let mut t = [0; 256]; let mut i = 0; while i < 256 { let mut c = i as u32; let mut k = 0; while k < 8 { c = if c & 1 == 1 { 0xedb88320 ^ (c >> 1) } else { c >> 1 }; k += 1 } t[i] = c; i += 1 } t }
static CRC: [u32; 256] = crc_table();
fn crc(bytes: &[u8]) -> u32 { !bytes.iter().fold(!0, |c, b| CRC[((c ^ *b as u32) & 255) as usize] ^ (c >> 8)) }
const fn fib(n: u32) -> u64 { if n < 2 { n as u64 } else { fib(n - 1) + fib(n - 2) } }
const FIBS: [u64; 15] = { let mut f = [0; 15]; let mut i = 0; while i < 15 { f[i] = fib(i as u32); i += 1 } f };
const fn sieve<const N: usize>() -> ([bool; N], usize) { let mut p = [true; N]; let mut count = 0; let mut i = 0; while i < N { if i < 2 { p[i] = false } else if p[i] { count += 1; let mut j = i * i; while j < N { p[j] = false; j += i } } i += 1 } (p, count) }
const PRIMES: ([bool; 100], usize) = sieve();
const fn hash(s: &str) -> u64 { let b = s.as_bytes(); let mut h = 0xcbf29ce484222325u64; let mut i = 0; while i < b.len() { h = (h ^ b[i] as u64).wrapping_mul(0x100000001b3); i += 1 } h }
const NAMES: &[&str] = &["alpha", "beta", "gamma"]; const HASHES: [u64; NAMES.len()] = [hash(NAMES[0]), hash(NAMES[1]), hash(NAMES[2])];
struct Config { name: &'static str, sizes: &'static [usize], nested: Option<&'static Config>, f: fn(i32) -> i32 }
const BASE: Config = Config { name: "base", sizes: &[1, 2, 3], nested: None, f: |x| x * 2 }; static DERIVED: Config = Config { name: "derived", nested: Some(&BASE), sizes: &{ let mut s = [0; 4]; s[1] = BASE.sizes.len(); s }, ..BASE };
static COUNT: AtomicU32 = AtomicU32::new(5); static LOG: Mutex<Vec<String>> = Mutex::new(Vec::new()); static ONCE: OnceLock<String> = OnceLock::new(); static LAZY: LazyLock<Vec<u64>> = LazyLock::new(|| { COUNT.fetch_add(1, SeqCst); FIBS.iter().copied().filter(|x| x % 2 == 0).collect() }); static mut COUNTER: u32 = 0;
thread_local! { static LOCAL: std::cell::Cell<u32> = const { std::cell::Cell::new(1) }; static TEXT: std::cell::RefCell<String> = std::cell::RefCell::new("t".into()); }
trait Shape { const SIDES: u32; const NAME: &'static str = "shape"; const DOUBLE: u32 = Self::SIDES * 2; fn id() -> String { format!("{}{}", Self::NAME, Self::DOUBLE) } }
struct Tri; struct Quad; impl Shape for Tri { const SIDES: u32 = 3; } impl Shape for Quad { const SIDES: u32 = 4; const NAME: &'static str = "quad"; const DOUBLE: u32 = Tri::DOUBLE + 100; }
struct Buf<T, const N: usize>([T; N]); impl<T: Copy + Default, const N: usize> Buf<T, N> { const LEN: usize = N * size_of::<T>(); const CHECK: () = assert!(N < 1000, "too large"); fn new(x: T) -> Self { let () = Self::CHECK; Buf([x; N]) } }
const fn parse(s: &str) -> Option<u32> { let b = s.as_bytes(); let mut n = 0u32; let mut i = 0; while i < b.len() { match b[i] { d @ b'0'..=b'9' => match n.checked_mul(10) { Some(m) => n = m + (d - b'0') as u32, None => return None }, b'_' => {} _ => return None } i += 1 } Some(n) }
const WIDTH: u32 = match parse("1_024") { Some(n) => n, None => panic!("bad") }; const BITS: u32 = u64::BITS - WIDTH.leading_zeros(); const MASK: u8 = !(1 << 3) & 0b1111_1011; const PI2: f64 = std::f64::consts::PI * 2.0; const NEG: i8 = i8::MIN.wrapping_neg();
const fn max<const N: usize>(a: [i32; N]) -> i32 { let mut m = i32::MIN; let mut i = 0; loop { if i == N { break m } if a[i] > m { m = a[i] } i += 1 } }
fn main() {
    println!("{:08x} {:08x}", crc(b"123456789"), crc(b"")); println!("{FIBS:?} {} {:?}", PRIMES.1, (0..100).filter(|i| PRIMES.0[*i]).last()); println!("{HASHES:x?}");
    println!("{} {:?} {:?} {}", DERIVED.name, DERIVED.sizes, DERIVED.nested.map(|c| c.name), (DERIVED.f)(21)); println!("{} {:?} {}", COUNT.load(SeqCst), *LAZY, COUNT.load(SeqCst));
    LOG.lock().unwrap().push("x".into()); println!("{:?} {:?} {:?}", LOG.lock().unwrap(), ONCE.get(), ONCE.get_or_init(|| "made".into())); unsafe { COUNTER += 2; let c = &raw const COUNTER; println!("{}", *c) }
    LOCAL.with(|c| c.set(c.get() + 1)); println!("{} {} {}", LOCAL.get(), std::thread::spawn(|| LOCAL.replace(9)).join().unwrap(), TEXT.with_borrow_mut(|t| { t.push('!'); t.len() }));
    println!("{} {} {} {}", Tri::id(), Quad::id(), Buf::<u16, 5>::LEN, Buf::<u8, 3>::new(7).0.iter().sum::<u8>()); println!("{WIDTH} {BITS} {MASK} {PI2:.4} {NEG} {}", max([3, 9, 2]));
    let x = const { max([1, 2]) + fib(10) as i32 }; println!("{x} {:?}", const { Some(b"bytes".len()) }); const LOCAL_TABLE: [&str; 3] = ["a"; 3]; println!("{LOCAL_TABLE:?} {:?}", [const { Vec::<u8>::new() }; 2]);
    println!("{:?} {}", std::ptr::eq(DERIVED.nested.unwrap(), DERIVED.nested.unwrap()), [0u8; { 2 + 3 }].len());
}
