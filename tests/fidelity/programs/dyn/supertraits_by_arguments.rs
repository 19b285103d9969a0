// One supertrait under several arguments: virtual calls and upcasts choose by them.
use std::any::Any; use std::fmt::*; use std::rc::Rc; use std::sync::Arc;
trait A: Debug { fn a(&self) -> i32 { 1 } } trait B: A { fn b(&self) -> i32 { 2 } } trait C: A { fn c(&self) -> i32 { 3 } } trait Dm: B + C + Any + Send { fn d(&self) -> i32 { self.a() + self.b() + self.c() } }
trait G<T> { fn g(&self) -> T; } trait H: G<i32> + G<String> + B {} #[derive(Debug, Clone, PartialEq)] struct S(u8); struct Big([u64; 4]);
impl Debug for Big { fn fmt(&self, f: &mut Formatter<'_>) -> Result { write!(f, "Big{}", self.0[3]) } }
impl A for S {} impl B for S {} impl C for S { fn c(&self) -> i32 { 30 } } impl Dm for S {} impl A for Big { fn a(&self) -> i32 { self.0[0] as i32 } } impl B for Big { fn b(&self) -> i32 { 20 } } impl C for Big {} impl Dm for Big { fn d(&self) -> i32 { -1 } }
impl G<i32> for S { fn g(&self) -> i32 { 4 } } impl G<String> for S { fn g(&self) -> String { "str".into() } } impl H for S {}
impl Drop for Big { fn drop(&mut self) { println!("drop Big"); } }
fn gs(x: &dyn G<String>) -> String { x.g() } fn is(x: &dyn G<i32>) -> i32 { x.g() }
trait Lt<'a> { fn r(&self) -> &'a str; } trait Sub<'a>: Lt<'a> {} struct R<'a>(&'a str); impl<'a> Lt<'a> for R<'a> { fn r(&self) -> &'a str { self.0 } } impl<'a> Sub<'a> for R<'a> {}
trait Assoc { type T: Display; fn t(&self) -> Self::T; } trait SubA: Assoc<T = u8> {} impl Assoc for S { type T = u8; fn t(&self) -> u8 { self.0 } } impl SubA for S {}
fn main() {
    let d: Box<dyn Dm> = Box::new(S(1)); println!("{} {} {} {} {:?}", d.a(), d.b(), d.c(), d.d(), d); let r: &dyn C = &*d; println!("{} {}", r.c(), r.a()); let a: &dyn A = r; println!("{} {a:?}", a.a()); let dd: &dyn Debug = a; println!("{dd:?}");
    let b: Box<dyn B> = d; println!("{}", b.b()); let a: Box<dyn A> = b; println!("{}", a.a());
    let d: Rc<dyn Dm> = Rc::new(Big([9, 0, 0, 7])); let c: Rc<dyn C> = d.clone(); println!("{} {} {}", c.c(), c.a(), Rc::strong_count(&c)); let any: Rc<dyn Any> = d; println!("{}", any.downcast::<Big>().unwrap().0[0]); println!("{:?}", c as Rc<dyn Debug>);
    let h: &dyn H = &S(2); println!("{} {} {} {}", gs(h), is(h), h.b(), <dyn H as G<i32>>::g(h)); let v: Vec<Box<dyn Dm>> = vec![Box::new(S(3)), Box::new(Big([1; 4]))]; println!("{:?}", v.iter().map(|x| x.d()).collect::<Vec<_>>()); for x in v { let s: Box<dyn Any> = x; match s.downcast::<S>() { Ok(s) => println!("S {s:?}"), Err(e) => println!("other {}", e.is::<Big>()) } }
    let m: &mut dyn Dm = &mut S(4); let c: &mut dyn C = m; println!("{}", c.c()); let p: *const dyn Dm = &S(5); let q: *const dyn A = p; println!("{:?}", unsafe { &*q }); let s: &dyn Sub = &R("lt"); let l: &dyn Lt = s; println!("{}", l.r()); let sa: &dyn SubA = &S(8); let aa: &dyn Assoc<T = u8> = sa; println!("{}", aa.t());
    let ds: Arc<dyn Dm> = Arc::new(S(6)); let send: Box<dyn Any + Send> = Box::new(ds.a()); println!("{:?}", send.downcast::<i32>()); let x: Box<dyn Any + Send + Sync> = Box::new(5u8); let x: Box<dyn Any + Send> = x; let x: Box<dyn Any> = x; println!("{}", x.is::<u8>());
    let e: Box<dyn std::error::Error + Send + Sync> = "oops".into(); let e: Box<dyn std::error::Error> = e; println!("{e} {e:?} {:?}", e.source().is_none()); let dis: &dyn Display = &e; println!("{dis}"); let f: Box<dyn Fn(i32) -> i32> = Box::new(|x| x * 2); let f: Box<dyn FnMut(i32) -> i32> = Box::new(f); let f: Box<dyn FnOnce(i32) -> i32> = Box::new(f); println!("{}", f(21));
}
