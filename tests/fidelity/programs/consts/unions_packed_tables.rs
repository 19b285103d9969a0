use std::cell::*;
use std::mem::*;
use std::sync::atomic::*;
use std::sync::*;
#[repr(C)]
struct C {
    a: u8,
    b: u32,
    c: u16,
    d: (u8, u64),
}
#[repr(C, packed)]
#[derive(Clone, Copy, Debug, PartialEq, Default)]
struct Pk {
    a: u8,
    b: u32,
    c: u16,
}
#[repr(packed(2))]
struct Pk2 {
    a: u8,
    b: u64,
}
#[repr(C, align(16))]
struct Al(u8);
#[repr(C)]
union Un {
    f: f32,
    u: u32,
    b: [u8; 4],
}
union Ptr<'a> {
    r: &'a u32,
    n: usize,
    m: ManuallyDrop<String>,
}
#[repr(u8)]
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
enum Op {
    A = 3,
    B,
    C = 10,
}
#[repr(i16)]
enum Neg {
    X = -5,
    Y,
}
impl Op {
    const ALL: [Op; 3] = [Op::A, Op::B, Op::C];
    const fn from(n: u8) -> Option<Op> {
        let mut i = 0;
        while i < 3 {
            if Self::ALL[i] as u8 == n {
                return Some(Self::ALL[i]);
            }
            i += 1
        }
        None
    }
}
const fn fib(n: u32) -> u64 {
    if n < 2 { n as u64 } else { fib(n - 1) + fib(n - 2) }
}
const TABLE: [u64; 10] = {
    let mut t = [0; 10];
    let mut i = 0;
    while i < 10 {
        t[i] = fib(i as u32);
        i += 1;
    }
    t
};
const fn hash(s: &str) -> u32 {
    let b = s.as_bytes();
    let mut h = 5381u32;
    let mut i = 0;
    while i < b.len() {
        h = h.wrapping_mul(33) ^ b[i] as u32;
        i += 1
    }
    h
}
const H: u32 = hash("hello");
const MSG: &str = match H % 2 {
    0 => "even",
    _ => "odd",
};
static COUNT: AtomicUsize = AtomicUsize::new(fib(10) as usize);
static M: Mutex<Vec<i32>> = Mutex::new(Vec::new());
static ONCE: OnceLock<String> = OnceLock::new();
static LAZY: LazyLock<Vec<u32>> = LazyLock::new(|| {
    println!("init");
    (1..4).collect()
});
static mut RAW: [i32; 3] = [1, 2, 3];
static REFS: [&[i32]; 2] = [&[1], &[2, 3]];
static SELF: &(i32, &str) = &(1, "x");
thread_local! { static TL: RefCell<Vec<i32>> = const { RefCell::new(Vec::new()) }; static TC: Cell<u8> = Cell::new(TABLE[6] as u8); }
struct Buf<const N: usize, const B: bool = true> {
    d: [u8; N],
}
impl<const N: usize, const B: bool> Buf<N, B> {
    const SZ: usize = if B { N * 2 } else { N };
    const NONEMPTY: () = assert!(N > 0);
    fn new() -> Self {
        let () = Self::NONEMPTY;
        Buf { d: [N as u8; N] }
    }
    fn sum(&self) -> usize {
        self.d.iter().map(|x| *x as usize).sum::<usize>() + const { N * 3 } + Self::SZ
    }
}
fn size<T>() -> (usize, usize) {
    (const { size_of::<T>() }, align_of::<T>())
}
fn main() {
    println!("{} {} {} {}", offset_of!(C, b), offset_of!(C, c), offset_of!(C, d), offset_of!(C, d.1));
    println!("{} {} {}", offset_of!(Pk, c), size_of::<Pk>(), size_of::<Pk2>());
    println!(
        "{:?} {:?} {:?} {:?}",
        size::<Al>(),
        size::<Op>(),
        size::<Option<Op>>(),
        size::<(u8, u32, u8)>()
    );
    let mut p = Pk { a: 1, b: 0xdeadbeef, c: 7 };
    p.b += 1;
    let b = p.b;
    println!("{:x} {} {:?} {}", b, { p.c }, p, p == Pk::default());
    let q = &raw const p.b;
    println!("{:x}", unsafe { q.read_unaligned() });
    let pk2 = Pk2 { a: 1, b: 99 };
    println!("{} {}", pk2.a, { pk2.b });
    let mut u = Un { f: 1.0 };
    unsafe {
        println!("{:x} {:?}", u.u, u.b);
        u.b[3] = 0x40;
        println!("{}", u.f);
        match u {
            Un { u: 0x40800000 } => println!("four"),
            Un { f } => println!("{f}"),
        }
    }
    let x = 5;
    let pu = Ptr { r: &x };
    println!("{}", unsafe { pu.n == &x as *const u32 as usize });
    let mut pm = Ptr { m: ManuallyDrop::new("s".into()) };
    unsafe {
        (*pm.m).push('!');
        println!("{}", *pm.m);
        ManuallyDrop::drop(&mut pm.m);
    }
    println!(
        "{:?} {:?} {} {} {}",
        Op::from(4),
        Op::from(5),
        Op::C as i32,
        Neg::X as i16,
        Neg::Y as i32 as u8
    );
    println!("{:?}", unsafe { transmute::<u8, Op>(10) });
    println!("{}", Op::A < Op::C);
    println!("{TABLE:?} {H} {MSG} {}", COUNT.fetch_add(2, Ordering::SeqCst));
    println!("{}", COUNT.load(Ordering::Relaxed));
    M.lock().unwrap().push(3);
    M.lock().unwrap().extend([4, 5]);
    println!("{:?}", M.lock().unwrap());
    println!("{} {}", ONCE.get_or_init(|| "one".into()), ONCE.get_or_init(|| "two".into()));
    println!("before");
    println!("{:?} {}", *LAZY, LAZY.len());
    unsafe {
        RAW[1] = 20;
        let r = &raw mut RAW;
        (*r)[2] += 5;
        println!("{:?}", *r);
    }
    println!("{REFS:?} {SELF:?}");
    TL.with_borrow_mut(|v| v.push(1));
    TL.with(|v| println!("{v:?}"));
    TC.set(TC.get() + 1);
    println!("{}", TC.get());
    std::thread::spawn(|| println!("{} {:?}", TC.get(), TL.take())).join().unwrap();
    println!("{} {} {}", Buf::<4>::new().sum(), Buf::<3, false>::new().sum(), Buf::<2>::SZ);
    const { assert!(size_of::<u64>() == 8) };
    let arr = [const { Vec::<u8>::new() }; 3];
    println!("{arr:?}");
    const NONE: Option<String> = None;
    let z = [NONE; 2];
    println!("{z:?}");
    let (a, b) = (i128::MAX, -170141183460469231731687303715884105728i128);
    println!(
        "{} {:?} {:?} {}",
        a.wrapping_add(1),
        a.checked_mul(2),
        b.overflowing_neg(),
        (a as u128).leading_zeros()
    );
    println!("{} {} {}", u128::MAX / 12345678901234567, (1u128 << 100) % 1000000007, (a as f64));
    println!("{} {} {}", u64::MAX as u128 * u64::MAX as u128, (-7i128).rem_euclid(3), (-7i128) >> 1);
    println!(
        "{:?} {}",
        10u128.pow(38).checked_pow(2),
        i128::from_str_radix("-7fffffffffffffffffffffffffffffff", 16).unwrap()
    );
    println!("{} {}", 340282366920938463463374607431768211455u128.count_ones(), u128::from_be_bytes([1; 16]));
    let r = RefCell::new(5);
    {
        let a = r.borrow();
        println!("{:?} {:?}", r.try_borrow_mut().is_err(), *a);
    }
    {
        let m = RefMut::map(r.borrow_mut(), |x| x);
        drop(m)
    }
    *r.borrow_mut() += 1;
    println!("{r:?} {}", r.replace(9));
    let c = Cell::new([1, 2]);
    let s: &Cell<[i32]> = &c;
    s.as_slice_of_cells()[0].set(8);
    println!("{:?}", c.get());
    println!("{}", stringify!(a + b));
    println!("{}", concat!("a", 1, 2.5, true, 'c', -3));
    println!("{} {}", module_path!(), line!());
    println!("{:?}", option_env!("NOPE_X"));
}
