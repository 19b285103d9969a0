#![allow(unused)]
use std::any::type_name;
fn v<T>(_: &T) -> &'static str { type_name::<T>() }
fn g<T: Default, const N: usize>() -> Vec<&'static str> { let c = |x: i32| { let d = || T::default(); v(&d) }; struct L; struct M<U>(U); vec![v(&c), c(1), type_name::<L>(), type_name::<M<T>>()] }
struct S<T>(T);
impl<T: Default> S<T> { fn m(&self) -> Vec<&'static str> { struct InM; let c = || 1; vec![v(&c)] } }
trait Tr { fn t(&self) -> Vec<&'static str>; fn d(&self) -> Vec<&'static str> { let c = || (); struct InD; vec![v(&c)] } }
impl Tr for S<u8> { fn t(&self) -> Vec<&'static str> { struct InT; let c = || 1; vec![v(&c)] } }
mod other { impl super::S<u8> { pub fn o(&self) {} } impl super::Tr for u16 { fn t(&self) -> Vec<&'static str> { let c = || 1; vec![super::v(&c)] } } pub trait O { fn oo(&self) -> &'static str; } }
impl other::O for S<u8> { fn oo(&self) -> &'static str { let c = || 1; v(&c) } }
impl other::O for u32 { fn oo(&self) -> &'static str { let c = || 1; v(&c) } }
static C: fn() -> &'static str = || { let c = || 1; v(&c) };
const K: fn() -> &'static str = || { let c = || 1; v(&c) };
struct CG<const B: bool, const C: char, const I: i8>;
macro_rules! mk { ($n:ident) => { fn $n() -> &'static str { struct InMac; let c = || 1; v(&(c, InMac)) } } } mk!(made);
fn main() {
    for s in g::<u8, 3>() { println!("{s}"); } println!("{}", S(1u16).m()[0]); println!("{} {}", S(1u8).t()[0], S(1u8).d()[0]);
    for s in 1u16.t() { println!("{s}"); }
    println!("{} {} {} {}", v(&S::<u8>::o), C(), K(), v(&<u16 as Tr>::t));
    println!("{} {}", other::O::oo(&S(1u8)), other::O::oo(&1u32));
    println!("{} {}", type_name::<CG<true, 'x', -5>>(), type_name::<CG<false, '\n', 5>>());
    println!("{}", made());
    println!("{} {}", type_name::<(dyn Send + Sync)>(), type_name::<dyn Fn() -> Box<dyn Fn(&u8)>>());
    println!("{}", type_name::<Option<fn(&u8, fn(&u8) -> &u8) -> i8>>());
    let x = async { async { 1 }.await }; println!("{}", v(&x));
    println!("{}", v(&[1u8].iter().filter(|x| **x > 0).map(|x| x + 1).zip(0..).enumerate()));
    println!("{}", v(&std::thread::spawn(|| 1)));
    println!("{}", type_name::<std::borrow::Cow<'static, str>>()); println!("{}", type_name::<&'static dyn other::O>()); println!("{}", type_name::<std::pin::Pin<&mut u8>>());
}
