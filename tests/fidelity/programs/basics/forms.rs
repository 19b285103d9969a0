#![allow(unused)]
use std::ops::ControlFlow;
use std::task::Poll;
#[derive(Debug, Clone, Copy, PartialEq)]
enum Shape { Circle(f64), Rect { w: f64, h: f64 }, Unit }
const fn cube(x: i32) -> i32 { x * x * x }
const TABLE: [i32; 5] = { let mut t = [0; 5]; let mut i = 0; while i < 5 { t[i] = cube(i as i32); i += 1; } t };
static mut COUNTER: u32 = 0;
union Bits { f: f32, u: u32 }
trait Area { const SIDES: u32; const NAME: &'static str = "none"; fn area(&self) -> f64; fn describe(&self) -> String { format!("{} {} {:.2}", Self::NAME, Self::SIDES, self.area()) } }
struct Sq(f64); struct Tri(f64, f64);
impl Area for Sq { const SIDES: u32 = 4; const NAME: &'static str = "sq"; fn area(&self) -> f64 { self.0 * self.0 } }
impl Area for Tri { const SIDES: u32 = 3; fn area(&self) -> f64 { self.0 * self.1 / 2.0 } }
struct Buf<const N: usize> { d: [u8; N] }
impl<const N: usize> Buf<N> { const BITS: usize = N * 8; fn new() -> Self { Buf { d: [N as u8; N] } } fn bits(&self) -> usize { Self::BITS + const { N + 1 } } }
fn opt(x: Option<i32>) -> Option<i32> { let y = x?; Some(y + 1) }
fn cf(n: i32) -> ControlFlow<i32, i32> { let a = if n > 3 { ControlFlow::Break(n) } else { ControlFlow::Continue(n * 2) }; let b = a?; ControlFlow::Continue(b + 1) }
fn poll(p: Poll<Result<i32, String>>) -> Poll<Result<i32, String>> { let v = p?; match v { Poll::Ready(v) => Poll::Ready(Ok(v + 1)), Poll::Pending => Poll::Pending } }
fn slices(x: &[i32]) -> String {
    match x {
        [] => "empty".into(),
        [a] => format!("one {a}"),
        [a, .., b] if a == b => format!("same {a}"),
        [first, mid @ .., last] => format!("{first} {mid:?} {last}"),
    }
}
fn orpat(x: (i32, Option<i32>)) -> i32 { match x { (n, None) | (_, Some(n)) if n > 10 => n * 2, (1 | 2, Some(k @ (3 | 4))) => k, (a @ 5..=7, _) => a + 100, (..0, _) => -1, _ => 0 } }
fn labelled(n: i32) -> i32 { let r = 'a: { if n < 0 { break 'a -1; } if n == 0 { break 'a 0; } let mut i = 0; 'outer: loop { loop { i += 1; if i == n { break 'outer; } if i % 2 == 0 { continue 'outer; } } } i * 10 }; r }
trait A { fn a(&self) -> i32; } trait B: A { fn b(&self) -> i32 { self.a() * 2 } } trait C: B { }
struct S3(i32); impl A for S3 { fn a(&self) -> i32 { self.0 } } impl B for S3 {} impl C for S3 {}
fn up(c: &dyn C) -> &dyn A { c }
fn upbox(c: Box<dyn C>) -> Box<dyn B> { c }
trait Lend { type Item<'a> where Self: 'a; fn lend<'a>(&'a mut self) -> Option<Self::Item<'a>>; }
struct Windows { v: Vec<i32>, i: usize }
impl Lend for Windows { type Item<'a> = &'a mut [i32]; fn lend<'a>(&'a mut self) -> Option<&'a mut [i32]> { let i = self.i; self.i += 1; self.v.get_mut(i..i + 2) } }
fn evens(v: &[i32]) -> impl Iterator<Item = &i32> + '_ { v.iter().filter(|x| **x % 2 == 0) }
fn adder(n: i32) -> impl Fn(i32) -> i32 + Clone { move |x| x + n }
fn apply(f: impl FnOnce(i32) -> i32) -> i32 { f(3) }
trait Ret { fn items(&self) -> impl Iterator<Item = i32>; }
impl Ret for Vec<i32> { fn items(&self) -> impl Iterator<Item = i32> { self.iter().map(|x| x + 1) } }
#[track_caller] fn whereami() -> u32 { std::panic::Location::caller().line() }
#[derive(Debug, Default, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)] struct P { x: i32, y: i32, name: String }
fn main() {
    println!("{:?}", TABLE);
    unsafe { COUNTER += 1; COUNTER *= 5; let p = &raw const COUNTER; println!("{}", *p); }
    let b = Bits { f: 1.0 }; println!("{:x}", unsafe { b.u });
    unsafe { match b { Bits { u: 0x3f800000 } => println!("one"), Bits { f } => println!("{f}") } }
    println!("{} {}", Sq(2.0).describe(), Tri(3.0, 4.0).describe());
    println!("{} {:?}", Buf::<3>::new().bits(), Buf::<2>::new().d);
    println!("{:?} {:?} {:?} {:?}", opt(Some(1)), opt(None), cf(2), cf(5));
    println!("{:?} {:?} {:?}", poll(Poll::Ready(Ok(1))), poll(Poll::Pending), poll(Poll::Ready(Err("e".into()))));
    for s in [&[][..], &[1], &[2, 3, 2], &[1, 2, 3, 4]] { println!("{}", slices(s)); }
    for x in [(11, None), (0, Some(12)), (1, Some(3)), (2, Some(4)), (5, None), (-4, Some(1)), (9, None)] { print!("{} ", orpat(x)); } println!();
    println!("{} {} {}", labelled(-3), labelled(0), labelled(3));
    println!("{} {}", up(&S3(4)).a(), upbox(Box::new(S3(5))).b());
    let mut w = Windows { v: vec![1, 2, 3], i: 0 }; while let Some(s) = w.lend() { s[1] += s[0]; } println!("{:?}", w.v);
    println!("{:?} {} {}", evens(&[1, 2, 4]).collect::<Vec<_>>(), adder(3).clone()(4), apply(adder(1)));
    println!("{}", whereami());
    println!("{}", matches!(Shape::Circle(1.0), Shape::Circle(r) if r > 0.5));
    let o = Some(3); if let Some(x) = o && x > 2 && let y = x * 2 && y == 6 { println!("chain {x} {y}"); }
    let P { x, ref name, .. } = P { x: 1, y: 2, name: "n".into() }; println!("{x} {name}");
    let p = P { x: 5, ..P::default() }; println!("{p:?} {}", p > P::default());
    let (mut a, mut c); (a, c) = (1, 2); [a, .., c] = [7, 8, 9]; (_, a) = (0, a + c); println!("{a} {c}");
    let Some(q) = opt(Some(9)) else { panic!() }; println!("{q}");
    let arr @ [h, .., t] = [1, 2, 3, 4]; println!("{h} {t} {arr:?}");
    let x = 5u8; println!("{}", match x { 0 => "z", 1..=4 => "low", 5.. => "high" });
    let s = "hello"; match s.as_bytes() { [b'h', rest @ ..] => println!("{}", rest.len()), _ => {} }
    let t = ((1, 2), [3, 4]); let ((a1, _), [_, b1]) = t; println!("{}", a1 + b1);
    let v: Vec<Box<dyn Fn(i32) -> i32>> = vec![Box::new(|x| x + 1), Box::new(move |x| x * a)]; println!("{:?}", v.iter().map(|f| f(2)).collect::<Vec<_>>());
    let r = &mut [1, 2, 3]; let [f, .., l] = r; std::mem::swap(f, l); println!("{r:?}");
    let z = loop { break 'x' }; println!("{z}");
    let n = -7i32; println!("{} {} {} {}", n / 2, n % 2, n >> 1, n.rem_euclid(4));
    println!("{}", { let y = 3; y * y } + if true { 1 } else { 2 });
    let mut it = (1..4).into_iter(); let mut sum = 0; while let Some(i) = it.next() { if i == 2 { continue } sum += i; } println!("{sum}");
    println!("{:?}", (0..10).rev().step_by(3).collect::<Vec<_>>());
    println!("{}", i32::MAX.wrapping_add(1)); println!("{:?}", 250u8.checked_add(10)); println!("{}", -1i32 as u8 as char as u32);
    println!("{}", std::any::type_name::<Buf<3>>());
}
