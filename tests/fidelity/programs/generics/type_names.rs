#![allow(unused)]
use std::any::{type_name, type_name_of_val, TypeId, Any};
mod deep { pub struct S<T, const N: usize>(pub [T; N]); pub enum E { A } pub trait Tr { fn f(&self) {} fn g() where Self: Sized {} type X; } impl<T> Tr for S<T, 2> { type X = T; } pub fn gen_fn<T: ?Sized, const B: bool>() {} impl<T, const N: usize> S<T, N> { pub fn m(&self) {} pub fn name() -> &'static str { std::any::type_name::<Self>() } } impl Tr for u8 { type X = (); } pub union U { pub a: u8 } pub type Alias = Option<E>; }
use deep::*;
trait Two: Tr + Send {}
struct Lt<'a, T>(&'a T);
fn n<T: ?Sized>() -> &'static str { type_name::<T>() }
fn v<T>(_: T) -> &'static str { type_name::<T>() }
fn opaque() -> impl Fn(i32) -> i32 { |x| x }
async fn fut(x: i32) {}
fn main() {
    for s in [n::<i32>(), n::<u128>(), n::<f32>(), n::<bool>(), n::<char>(), n::<str>(), n::<()>(), n::<(i32,)>(), n::<(u8, &str)>(), n::<[u8]>(), n::<[u8; 4]>(), n::<&[u8; 0]>(), n::<&mut Vec<String>>(), n::<*const u8>(), n::<*mut [i32]>(),
        n::<String>(), n::<Vec<Option<Box<i32>>>>(), n::<Result<u8, std::io::Error>>(), n::<std::collections::HashMap<String, u8>>(), n::<std::rc::Rc<std::cell::RefCell<i32>>>(), n::<std::sync::Arc<std::sync::Mutex<i32>>>(),
        n::<S<u8, 3>>(), n::<E>(), n::<U>(), n::<Alias>(), n::<Lt<'static, i32>>(), S::<i32, 5>::name(), n::<<S<u16, 2> as Tr>::X>(),
        n::<dyn std::fmt::Debug>(), n::<Box<dyn std::fmt::Debug + Send>>(), n::<&dyn Fn(i32, u8) -> String>(), n::<dyn FnOnce()>(), n::<dyn Iterator<Item = u8>>(), n::<dyn Tr<X = u8>>(), n::<dyn Any + Send + Sync>(), n::<Box<dyn std::error::Error + Send + Sync>>(), n::<dyn for<'a> Fn(&'a str) -> &'a str>(),
        n::<fn()>(), n::<fn(i32) -> u8>(), n::<unsafe fn(&u8)>(), n::<for<'a> fn(&'a str) -> &'a str>(),
        v(main), v(gen_fn::<u8, true>), v(S::<u8, 1>::m), v(<u8 as Tr>::f), v(<S<u8, 2> as Tr>::g), v(Some::<u8>), v(S::<u8, 1>), v(E::A), v(n::<u8>), v(Vec::<u8>::new), v(String::from_utf8), v(<u8 as Clone>::clone), v(i32::pow), v(str::len), v(<[u8]>::len),
        v(|| 1), v(opaque()), v(opaque), v(fut(1)), v(async {}), v([1, 2].iter().map(|x| x + 1)), v((0..3).rev()), v("a"), v(1..=2),
    ] { println!("{s}"); }
    fn inner() -> &'static str { struct L; n::<L>() } println!("{}", inner());
    let c = || { struct C2; (n::<C2>(), v(|| ())) }; println!("{:?}", c());
    println!("{}", type_name_of_val(&c));
    println!("{} {}", TypeId::of::<u8>() == TypeId::of::<u8>(), TypeId::of::<u8>() == TypeId::of::<i8>());
    println!("{}", TypeId::of::<&'static str>() == TypeId::of::<&str>());
    println!("{} {}", TypeId::of::<fn(&u8)>() == TypeId::of::<for<'a> fn(&'a u8)>(), TypeId::of::<dyn Any>() == TypeId::of::<dyn Any + Send>());
    let mut ids = vec![TypeId::of::<u8>(), TypeId::of::<u16>(), TypeId::of::<u8>()]; ids.sort(); ids.dedup(); println!("{}", ids.len());
    let b: Box<dyn Any> = Box::new(5u8); println!("{:?} {:?}", b.downcast_ref::<u8>(), b.downcast_ref::<i8>());
}
impl Lt<'_, i32> {}
