#![allow(unused)]
use std::any::{type_name, Any, TypeId};
fn n<T: ?Sized>() -> &'static str { type_name::<T>() }
fn v<T>(_: T) -> &'static str { type_name::<T>() }
fn same<T: ?Sized + 'static, U: ?Sized + 'static>() -> bool { TypeId::of::<T>() == TypeId::of::<U>() }
struct Lt<'a, T>(&'a T);
trait Tr<'a, T> { }
trait Named { fn name(&self) -> &'static str; }
impl Named for fn(&u8) { fn name(&self) -> &'static str { "fn(&u8)" } }
impl Named for fn(&str) -> &str { fn name(&self) -> &'static str { "fn(&str) -> &str" } }
impl Named for for<'a, 'b> fn(&'a u8, &'b u8) -> &'b u8 { fn name(&self) -> &'static str { "second" } }
fn unit(_: &u8) {}
fn id(x: &str) -> &str { x }
fn second<'a, 'b>(_: &'a u8, x: &'b u8) -> &'b u8 { x }
struct S;
impl S { fn me(&self) -> &S { self } }
fn main() {
    for s in [
        n::<fn(&u8)>(), n::<fn(&'static u8)>(), n::<for<'a> fn(&'a u8)>(), n::<fn(&str) -> &str>(), n::<fn(&str) -> &'static str>(),
        n::<fn(&'static str) -> &str>(), n::<fn(&mut u8, &u8)>(), n::<for<'a, 'b> fn(&'a u8, &'b u8) -> &'b u8>(),
        n::<unsafe fn(&u8)>(), n::<Option<fn(&u8)>>(), n::<fn(Lt<'_, u8>)>(), n::<fn(Lt<'static, u8>)>(), n::<fn(&Lt<u8>)>(),
        n::<fn(Box<dyn Fn(&u8) -> &u8>)>(), n::<fn(fn(&u8) -> &u8, &u8) -> &u8>(),
        n::<for<'a> fn(for<'b> fn(&'a u8, &'b u8))>(), n::<for<'a> fn(&'a u8) -> fn(&'a u8)>(), n::<fn(&u8) -> fn(&u8)>(),
        n::<dyn Fn(&u8)>(), n::<dyn Fn(&str) -> &str>(), n::<dyn for<'a> Fn(&'a str) -> &'a str>(), n::<dyn Fn(&'static str)>(),
        n::<dyn FnMut(&mut Vec<u8>) -> Option<&u8> + Send>(), n::<dyn FnOnce(&[u8], &[u8])>(),
        n::<dyn for<'a> Tr<'a, &'a u8>>(), n::<dyn Tr<'static, &'static u8>>(), n::<dyn Tr<'_, u8>>(),
        n::<fn(*const &u8)>(), n::<fn([&u8; 2], (&u8,), &[&u8])>(), n::<fn(&'static u8, &u8) -> Lt<'static, u8>>(),
        n::<Vec<Box<dyn FnMut(&mut dyn Any)>>>(), n::<fn() -> &'static str>(), n::<fn(u8) -> &'static str>(),
        n::<fn(&mut std::fmt::Formatter) -> std::fmt::Result>(), n::<fn(&mut std::fmt::Formatter<'_>) -> std::fmt::Result>(),
    ] { println!("{s}"); }
    println!("-- values");
    let a: fn(&u8) = unit; println!("{}", v(a)); println!("{}", v(unit as fn(&u8)));
    let c: fn(&str) -> &str = id; println!("{}", v(c));
    println!("{}", v([unit as fn(&u8); 2])); println!("{}", v(S::me as fn(&S) -> &S));
    let f: fn(&u8) = |_| (); println!("{}", v(f)); let g: Box<dyn Fn(&u8) -> &u8> = Box::new(|x| x); println!("{}", v(g));
    println!("{}", v(Some(unit as fn(&u8)))); println!("{}", v(vec![Box::new(|_: &u8| ()) as Box<dyn Fn(&u8)>]));
    println!("-- ids");
    println!("{} {}", same::<fn(&u8), for<'a> fn(&'a u8)>(), same::<for<'a, 'b> fn(&'a u8, &'b u8), for<'a, 'b> fn(&'b u8, &'a u8)>());
    println!("{} {}", same::<for<'a> fn(u8), fn(u8)>(), same::<dyn Fn(&u8), dyn for<'a> Fn(&'a u8)>());
    println!("{} {}", same::<fn(&dyn Any), for<'a> fn(&'a dyn Any)>(), same::<fn(&u8), fn(&mut u8)>());
    println!("-- any");
    let any: Vec<Box<dyn Any>> = vec![Box::new(a), Box::new(c)];
    for it in &any { println!("{:?} {:?}", it.is::<fn(&u8)>(), it.is::<fn(&str) -> &str>()); }
    println!("-- impls");
    println!("{} {} {}", a.name(), c.name(), (second as for<'a, 'b> fn(&'a u8, &'b u8) -> &'b u8).name());
    println!("{} {:?}", (any[0].downcast_ref::<fn(&u8)>().unwrap()).name(), any[1].downcast_ref::<fn(&str) -> &str>().map(|it| it("x")));
}
