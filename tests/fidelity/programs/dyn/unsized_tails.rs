// Structs with tails of no known size, their sizes and drops.
use std::mem::*; use std::rc::Rc; use std::sync::Arc; use std::fmt::{Debug, Display}; use std::any::Any;
struct Tail<T: ?Sized> { n: u16, t: T } #[repr(C)] struct CTail<A, T: ?Sized> { a: A, b: u8, t: T } #[repr(transparent)] struct Wrap<T: ?Sized>(T);
struct Nest<T: ?Sized>(u8, Tail<T>); struct Strs { len: usize, s: str }
trait Tr { fn f(&self) -> String; fn s(self: Box<Self>) -> String; fn rc(self: Rc<Self>) -> usize; fn g<T>(&self) -> usize where Self: Sized { size_of::<T>() } fn d(&self) -> String { format!("d{}", self.f()) } }
impl Tr for u64 { fn f(&self) -> String { format!("u64 {self}") } fn s(self: Box<Self>) -> String { format!("box {}", *self) } fn rc(self: Rc<Self>) -> usize { Rc::strong_count(&self) } }
impl Tr for [u8; 3] { fn f(&self) -> String { format!("arr {self:?}") } fn s(self: Box<Self>) -> String { format!("barr {:?}", self) } fn rc(self: Rc<Self>) -> usize { self[0] as usize } fn d(&self) -> String { "own".into() } }
#[repr(align(32))] struct Al(u8); impl Tr for Al { fn f(&self) -> String { format!("al {} {}", self.0, self as *const _ as usize % 32) } fn s(self: Box<Self>) -> String { "bal".into() } fn rc(self: Rc<Self>) -> usize { self.0 as usize } }
struct D(u8); impl Drop for D { fn drop(&mut self) { println!("drop D{}", self.0); } }
impl dyn Tr { fn inherent(&self) -> usize { size_of_val(self) } } impl<'a> dyn Any2 + 'a { fn k(&self) -> u8 { 9 } } trait Any2 {} impl Any2 for u8 {}
fn sz<T: ?Sized>(t: &T) -> (usize, usize) { (size_of_val(t), align_of_val(t)) }
fn main() {
    let t: &Tail<[u32]> = &Tail { n: 1, t: [1u32, 2, 3] }; println!("{:?} {} {:?}", sz(t), t.n, &t.t); let t: &Tail<dyn Debug> = &Tail { n: 2, t: "abc" }; println!("{:?} {} {:?}", sz(t), t.n, &t.t);
    let t: &Tail<dyn Tr> = &Tail { n: 3, t: Al(7) }; println!("{:?} {} {}", sz(t), t.n, t.t.f()); let t: &Tail<[u8]> = &Tail { n: 4, t: [1u8; 3] }; println!("{:?} {:?}", sz(t), &t.t);
    let n: Box<Nest<dyn Tr>> = Box::new(Nest(5, Tail { n: 6, t: 9u64 })); println!("{:?} {} {} {}", sz(&*n), n.0, n.1.n, n.1.t.d()); let n: &Nest<[D]> = &Nest(1, Tail { n: 1, t: [D(1), D(2)] }); println!("{:?} {}", sz(n), n.1.t.len());
    let c: &CTail<u64, [u16]> = &CTail { a: 1, b: 2, t: [3u16, 4, 5] }; println!("{:?} {:?} {}", sz(c), &c.t, c.a + c.b as u64); let c: Rc<CTail<u8, dyn Display>> = Rc::new(CTail { a: 1, b: 2, t: 3.5f64 }); println!("{:?} {}", sz(&*c), &c.t);
    let w: &Wrap<str> = unsafe { transmute("héy") }; println!("{:?} {}", sz(w), w.0.len()); let s: &Strs = unsafe { &*(std::ptr::slice_from_raw_parts([1usize, 0x6968].as_ptr().cast::<u8>(), 2) as *const Strs) }; println!("{} {} {:?}", s.len, &s.s, sz(s));
    let v: Vec<Box<dyn Tr>> = vec![Box::new(1u64), Box::new([1u8, 2, 3]), Box::new(Al(3))]; for x in &v { println!("{} {} {:?} {}", x.f(), x.d(), sz(&**x), x.inherent()); } for x in v { println!("{}", x.s()); }
    let r: Rc<dyn Tr> = Rc::new(5u64); let r2 = r.clone(); println!("{} {}", r.rc(), Rc::strong_count(&r2)); println!("{}", 5u64.g::<u16>()); let k: &dyn Any2 = &5u8; println!("{}", k.k());
    let a: Arc<[D]> = Arc::from(vec![D(10), D(11)]); let b: Arc<[D]> = [D(12)].into(); println!("{} {}", a.len(), b.len()); drop(a); let s: Rc<str> = "text".into(); let s2: Box<str> = s.to_string().into(); let s3: Arc<str> = Arc::from(s2.clone()); println!("{s} {s2} {s3} {}", Rc::ptr_eq(&s, &s.clone()));
    let b: Box<[u8]> = vec![1, 2].into_boxed_slice(); let r: Rc<[u8]> = Rc::from(b); println!("{r:?} {}", size_of_val(&r)); let x: Box<[String]> = (0..3).map(|i| i.to_string()).collect(); println!("{x:?}"); let arr: Box<[String; 3]> = x.try_into().unwrap(); println!("{:?}", arr.concat());
    let e: Rc<[i32]> = Rc::new([]); println!("{} {:?}", e.len(), e); let z: &dyn Debug = &(); println!("{:?} {:?}", sz(z), z); let z: &[()] = &[(); 5]; println!("{:?} {}", sz(z), z.len());
    let f: Box<dyn Fn(u8) -> Box<dyn Fn(u8) -> u8>> = Box::new(|a| Box::new(move |b| a * b)); println!("{} {:?} {:?}", f(3)(4), sz(&*f), sz(&*f(1)));
    println!("{} {} {} {} {}", size_of::<&dyn Tr>(), size_of::<Option<Box<dyn Tr>>>(), size_of::<*const [u8]>(), size_of::<Rc<Tail<str>>>(), size_of::<Option<&str>>());
    let any: Box<dyn Any + Send + Sync> = Box::new(vec![1, 2]); println!("{:?} {}", any.downcast_ref::<Vec<i32>>(), any.is::<Vec<u32>>()); let any: Rc<dyn Any> = Rc::new("s"); println!("{:?} {}", any.clone().downcast::<&str>(), any.downcast::<String>().is_err());
    let d: &dyn Tr = &1u64; let (p, _): (usize, usize) = unsafe { transmute(d) }; println!("{}", p == d as *const dyn Tr as *const u8 as usize); let m: ManuallyDrop<Box<dyn Tr>> = ManuallyDrop::new(Box::new(2u64)); println!("{}", m.f()); let _ = ManuallyDrop::into_inner(m);
    let mut arr3 = [1, 2, 3]; let c: &std::cell::Cell<[i32]> = std::cell::Cell::from_mut(&mut arr3[..]); c.as_slice_of_cells()[1].set(9); println!("{:?}", c.as_slice_of_cells().iter().map(|c| c.get()).collect::<Vec<_>>()); let rc: Rc<std::cell::RefCell<dyn Debug>> = Rc::new(std::cell::RefCell::new(5)); println!("{:?} {:?}", rc, sz(&*rc)); let mx: &std::sync::Mutex<[u8]> = &std::sync::Mutex::new([1, 2]); mx.lock().unwrap()[0] = 7; println!("{:?}", mx);
}
