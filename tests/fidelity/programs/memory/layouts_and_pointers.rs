// Unions, representations, niches, raw pointers, manual drops.
use std::cell::*;
use std::mem::*;
use std::num::*;
use std::pin::*;
use std::ptr::*;
use std::rc::*;
#[repr(C)]
union U {
    a: u32,
    b: [u8; 4],
    c: f32,
    d: ManuallyDrop<(u8, u16)>,
}
#[repr(C, packed)]
struct Pk {
    a: u8,
    b: u32,
    c: u16,
}
#[repr(C)]
struct Cc {
    a: u8,
    b: u64,
    c: u8,
}
#[repr(transparent)]
struct Tr(Box<u8>);
#[repr(align(32))]
#[derive(Clone, Copy)]
struct Al(u8);
#[repr(u16)]
#[derive(Clone, Copy, Debug, PartialEq)]
enum R {
    A = 500,
    B,
    C = 7,
}
#[repr(C, u8)]
enum Cu {
    A(u32),
    B { x: u8 },
    C,
}
#[repr(i8)]
enum Neg {
    A = -1,
    B = 127,
}
enum Void {}
enum One {
    X,
}
enum N2 {
    A(bool),
    B,
    C(bool),
}
enum N3 {
    A(Option<char>),
    B,
    C,
}
enum Big {
    A(u64),
    B(u8),
    C(NonZeroU64),
}
struct Fl {
    a: u8,
    b: u32,
    c: u16,
    d: u8,
}
fn off<T, U>(t: &T, u: &U) -> usize {
    (u as *const U).addr() - (t as *const T).addr()
}
struct Node {
    v: i32,
    next: *mut Node,
}
struct List {
    head: *mut Node,
    len: usize,
}
impl List {
    fn push(&mut self, v: i32) {
        self.head = Box::into_raw(Box::new(Node { v, next: self.head }));
        self.len += 1;
    }
    fn rev(&mut self) {
        let mut p = null_mut();
        let mut c = self.head;
        while !c.is_null() {
            unsafe {
                let n = (*c).next;
                (*c).next = p;
                p = c;
                c = n;
            }
        }
        self.head = p;
    }
    fn iter(&self) -> impl Iterator<Item = i32> + '_ {
        let mut c = self.head as *const Node;
        std::iter::from_fn(move || unsafe {
            c.as_ref().map(|n| {
                c = n.next;
                n.v
            })
        })
    }
}
impl Drop for List {
    fn drop(&mut self) {
        while !self.head.is_null() {
            let b = unsafe { Box::from_raw(self.head) };
            self.head = b.next;
            print!("free{} ", b.v);
        }
        println!();
    }
}
struct SelfRef {
    data: String,
    ptr: *const String,
    _p: std::marker::PhantomPinned,
}
impl SelfRef {
    fn new(s: &str) -> Pin<Box<Self>> {
        let mut b = Box::pin(SelfRef { data: s.into(), ptr: null(), _p: std::marker::PhantomPinned });
        let p = &b.data as *const _;
        unsafe {
            b.as_mut().get_unchecked_mut().ptr = p;
        }
        b
    }
    fn get(self: Pin<&Self>) -> &str {
        unsafe { &*self.ptr }
    }
}
struct D(u8);
impl Drop for D {
    fn drop(&mut self) {
        print!("d{} ", self.0)
    }
}
fn main() {
    let mut u = U { c: 1.0 };
    unsafe {
        println!("{:x} {:?}", u.a, u.b);
        u.b[3] = 0x40;
        println!("{}", u.c);
        u.d = ManuallyDrop::new((1, 2));
        println!("{:?}", *u.d);
        let U { a } = u;
        println!("{}", a & 0xff == 1);
        match u {
            U { b: [1, ..] } => println!("one"),
            _ => println!("oth"),
        }
    }
    println!(
        "{:?}",
        [
            size_of::<U>(),
            size_of::<Pk>(),
            align_of::<Pk>(),
            size_of::<Cc>(),
            size_of::<Tr>(),
            size_of::<Al>(),
            size_of::<(u8, Al)>(),
            size_of::<R>(),
            size_of::<Option<R>>(),
            size_of::<Cu>(),
            size_of::<Option<Cu>>(),
            size_of::<Void>(),
            size_of::<Result<u32, Void>>(),
            size_of::<One>(),
            size_of::<N2>(),
            size_of::<Option<N2>>(),
            size_of::<N3>(),
            size_of::<Option<Option<N3>>>(),
            size_of::<Big>(),
            size_of::<Option<Option<bool>>>(),
            size_of::<Fl>(),
            size_of::<Option<Fl>>(),
            size_of::<Option<Box<dyn Fn()>>>(),
            size_of::<Option<Vec<u8>>>(),
            size_of::<Option<Option<String>>>(),
            size_of::<Option<NonZeroI128>>(),
            size_of::<[Option<&u8>; 3]>(),
            size_of::<Result<(), Box<u8>>>(),
            size_of::<Option<(u8, bool)>>(),
            size_of::<Option<std::cmp::Ordering>>(),
            size_of::<Cell<Option<Rc<u8>>>>(),
            size_of::<Option<RefCell<u8>>>(),
            size_of::<Option<Cell<bool>>>(),
            size_of::<Option<std::time::Duration>>(),
            size_of::<Option<std::ops::RangeInclusive<u8>>>(),
            size_of::<Option<fn()>>(),
            size_of::<*const dyn Send>(),
            size_of::<Option<NonNull<[u8]>>>(),
            size_of::<MaybeUninit<Option<&u8>>>(),
            size_of::<Option<MaybeUninit<bool>>>()
        ]
    );
    println!(
        "{:?} {:?}",
        (offset_of!(Pk, c), offset_of!(Cc, b), offset_of!(Cc, c), offset_of!((u8, u32), 0) % 4),
        discriminant(&R::A) == discriminant(&R::A)
    );
    let p = Pk { a: 1, b: 0x01020304, c: 5 };
    println!("{} {:x} {}", { p.a }, { p.b }, unsafe { (&raw const p.c).read_unaligned() });
    println!("{} {}", off(&p, &p.a), (&raw const p.b as usize) - (&raw const p as usize));
    let bytes: [u8; 7] = unsafe { transmute(p) };
    println!("{bytes:?}");
    println!("{:?} {} {}", unsafe { transmute::<u16, R>(501) }, R::C as u32, Neg::A as u8 as i32 + Neg::B as i32);
    println!("{}", unsafe { transmute::<_, Option<NonZeroU32>>(0u32) }.is_none());
    println!("{:?}", unsafe { transmute::<[u8; 4], u32>([1, 0, 0, 0]) });
    println!("{} {}", matches!(N2::C(true), N2::C(true)), unsafe { *(&Some(false) as *const _ as *const u8) });
    println!("{}", unsafe { *(&None::<bool> as *const _ as *const u8) });
    let mut l = List { head: null_mut(), len: 0 };
    for i in 0..4 {
        l.push(i)
    }
    l.rev();
    println!("{:?} {}", l.iter().collect::<Vec<_>>(), l.len);
    drop(l);
    let s = SelfRef::new("pin");
    println!("{}", s.as_ref().get());
    let mut arr: [MaybeUninit<D>; 3] = [const { MaybeUninit::uninit() }; 3];
    for (i, a) in arr.iter_mut().enumerate() {
        a.write(D(i as u8));
    }
    let arr: [D; 3] = unsafe { transmute(arr) };
    let [_, b, _] = &arr;
    println!("{}", b.0);
    drop(arr);
    println!();
    let mut m = ManuallyDrop::new(D(9));
    m.0 = 8;
    unsafe { ManuallyDrop::drop(&mut m) }
    forget(D(7));
    println!();
    let mut v = vec![D(1), D(2), D(3)];
    unsafe {
        v.set_len(1);
    }
    let x = replace(&mut v[0], D(4));
    print!("[{}] ", x.0);
    drop(v);
    drop(x);
    println!();
    let mut b = Box::new(D(5));
    *b = D(6);
    let r = Box::leak(b);
    r.0 = 10;
    unsafe { drop_in_place(r) }
    println!();
    let a = [1u16, 2, 3, 4];
    let p = a.as_ptr();
    unsafe {
        println!(
            "{} {} {:?} {}",
            *p.add(2),
            p.add(3).offset_from(p),
            from_raw_parts(p.add(1), 2),
            p.cast::<u8>().add(2).read()
        );
        println!("{:?}", std::slice::from_raw_parts(p as *const u8, 4));
        let mut d = [0u16; 4];
        copy_nonoverlapping(p, d.as_mut_ptr().add(1), 3);
        std::ptr::copy(d.as_ptr(), d.as_mut_ptr().add(1), 3);
        d.swap(0, 3);
        println!("{d:?}");
        write_bytes(d.as_mut_ptr(), 0xff, 2);
        println!("{d:?}");
        let (x, y) = d.split_at_mut(2);
        std::mem::swap(&mut x[0], &mut y[0]);
        println!("{:?} {}", d.align_to::<u8>().1.len(), take(&mut d)[2]);
    }
    fn from_raw_parts<'a>(p: *const u16, n: usize) -> &'a [u16] {
        unsafe { &*slice_from_raw_parts(p, n) }
    }
    println!(
        "{} {} {}",
        null::<u8>().is_null(),
        NonNull::<u32>::dangling().as_ptr() as usize,
        p.wrapping_add(100).wrapping_sub(100) == p
    );
    let tagged = p.map_addr(|a| a | 1);
    println!("{} {}", tagged.addr() & 1, unsafe { *tagged.map_addr(|a| a & !1) });
    println!("{:?} {:?}", p.align_offset(2), unsafe { p.as_ref() });
    let fat: *const [u16] = &a[..];
    println!("{} {}", fat.len(), fat as *const u16 == p);
    let dy: &dyn std::fmt::Debug = &a;
    println!("{} {}", size_of_val(dy), align_of_val(dy));
    let raw: *const dyn std::fmt::Debug = dy;
    println!("{:?} {}", unsafe { &*raw }, addr_eq(raw, p));
    let c = Cell::from_mut(&mut [1, 2, 3][..]).as_slice_of_cells().iter().map(|c| c.replace(c.get() * 2)).sum::<i32>();
    println!("{c}");
    let f: fn(u8) -> u8 = |x| x + 1;
    let fp = f as *const ();
    let g: fn(u8) -> u8 = unsafe { transmute(fp) };
    println!("{}", g(4));
    println!("{}", Rc::new(5).as_ref() as *const i32 as usize % 4);
    let z: Vec<()> = vec![(); 5];
    println!("{} {} {:?}", z.len(), z.capacity() == usize::MAX, z.iter().count());
    let bx: Box<[D]> = Box::new([D(1), D(2)]);
    let rw = Box::into_raw(bx);
    println!("{}", unsafe { (&*rw).len() });
    drop(unsafe { Box::from_raw(rw) });
    println!();
    static mut G: [u8; 2] = [1, 2];
    unsafe {
        let g = &raw mut G;
        (*g)[1] += 5;
        println!("{:?}", *g);
    }
    let uc = UnsafeCell::new(3);
    unsafe { *uc.get() += 1 }
    println!("{}", uc.into_inner());
    println!("{}", needs_drop::<Vec<u8>>() & !needs_drop::<&D>());
}
