#![allow(unused)]
use std::any::{type_name, Any, TypeId};
fn n<T: ?Sized>() -> &'static str { type_name::<T>() }
fn v<T>(_: T) -> &'static str { type_name::<T>() }
fn same<T: ?Sized + 'static, U: ?Sized + 'static>() -> bool { TypeId::of::<T>() == TypeId::of::<U>() }
trait Tr<'a, T> { }
fn unit(_: &u8) {}
fn fixed(_: &str) -> &'static str { "fixed" }
fn longest<'a>(a: &'a str, b: &'a str) -> &'a str { if a.len() > b.len() { a } else { b } }
struct S;
impl S { fn them<'a>(&self, x: &'a u8) -> &'a u8 { x } }
fn inside<'b>(x: &'b u8) { println!("{} {}", n::<fn(&'b u8)>(), n::<for<'a> fn(&'a u8, &'b u8)>()); }
fn main() {
    // The lifetime of an object behind a reference.
    println!("{} {}", n::<fn(&dyn Fn(&u8) -> u8) -> &u8>(), n::<fn(&dyn Tr<'_, u8>)>());
    println!("{}", same::<fn(&dyn Any), for<'a> fn(&'a (dyn Any + 'a))>());
    // Lifetimes of types that are inferred.
    let b: fn(&'static u8) = unit; println!("{} {}", v(unit as fn(_)), v(b));
    let d: fn(&str) -> &'static str = fixed; println!("{}", v(d));
    let e: for<'x> fn(&'x str, &'x str) -> &'x str = longest; println!("{}", v(e));
    println!("{}", v(S::them as for<'s, 'a> fn(&'s S, &'a u8) -> &'a u8));
    let x = 5; inside(&x);
    // Types that differ in lifetimes only.
    println!("{} {}", same::<fn(&'static u8), for<'a> fn(&'a u8)>(), same::<fn(&u8, &u8), for<'a> fn(&'a u8, &'a u8)>());
    println!("{} {}", same::<fn(&str) -> &str, fn(&str) -> &'static str>(), same::<dyn Fn(&'static u8), dyn for<'a> Fn(&'a u8)>());
    let any: Vec<Box<dyn Any>> = vec![Box::new(unit as fn(&u8)), Box::new(b), Box::new(d), Box::new(e)];
    for it in &any { println!("{:?} {:?} {:?}", it.is::<fn(&u8)>(), it.is::<fn(&'static u8)>(), it.is::<fn(&str) -> &'static str>()); }
}
