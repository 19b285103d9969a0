// Which impl a method or an operator finds; trait objects, `Any`, indices.
use std::any::*;
use std::borrow::*;
use std::collections::HashMap;
use std::fmt::*;
use std::ops::*;
use std::rc::Rc;
// deref, autoref, method resolution, operators, dyn
struct W<T>(T);
impl<T> Deref for W<T> {
    type Target = T;
    fn deref(&self) -> &T {
        println!("deref");
        &self.0
    }
}
impl<T> DerefMut for W<T> {
    fn deref_mut(&mut self) -> &mut T {
        println!("deref_mut");
        &mut self.0
    }
}
trait M {
    fn m(self) -> &'static str;
}
impl M for i32 {
    fn m(self) -> &'static str {
        "i32"
    }
}
impl M for &i32 {
    fn m(self) -> &'static str {
        "&i32"
    }
}
impl M for &mut i32 {
    fn m(self) -> &'static str {
        "&mut i32"
    }
}
impl M for &&i32 {
    fn m(self) -> &'static str {
        "&&i32"
    }
}
impl M for Box<i32> {
    fn m(self) -> &'static str {
        "box"
    }
}
trait N {
    fn n(&self) -> &'static str;
    fn o(&mut self) -> &'static str {
        "o default"
    }
}
impl N for str {
    fn n(&self) -> &'static str {
        "str"
    }
}
impl N for String {
    fn n(&self) -> &'static str {
        "String"
    }
}
impl<T> N for [T] {
    fn n(&self) -> &'static str {
        "slice"
    }
}
impl<T, const K: usize> N for [T; K] {
    fn n(&self) -> &'static str {
        "array"
    }
}
impl<T: ?Sized + N> N for &T {
    fn n(&self) -> &'static str {
        println!("ref to");
        (**self).n()
    }
}
struct I {
    a: Vec<i32>,
    log: std::cell::RefCell<Vec<&'static str>>,
}
impl Index<usize> for I {
    type Output = i32;
    fn index(&self, i: usize) -> &i32 {
        self.log.borrow_mut().push("index");
        &self.a[i]
    }
}
impl IndexMut<usize> for I {
    fn index_mut(&mut self, i: usize) -> &mut i32 {
        self.log.borrow_mut().push("index_mut");
        &mut self.a[i]
    }
}
impl Index<&str> for I {
    type Output = str;
    fn index(&self, s: &str) -> &str {
        if s == "x" { "found" } else { "none" }
    }
}
impl Index<RangeFull> for I {
    type Output = [i32];
    fn index(&self, _: RangeFull) -> &[i32] {
        &self.a
    }
}
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default)]
struct V(f32, f32);
impl Add for V {
    type Output = V;
    fn add(self, o: V) -> V {
        V(self.0 + o.0, self.1 + o.1)
    }
}
impl Mul<f32> for V {
    type Output = V;
    fn mul(self, k: f32) -> V {
        V(self.0 * k, self.1 * k)
    }
}
impl Mul<V> for f32 {
    type Output = V;
    fn mul(self, v: V) -> V {
        v * self
    }
}
impl Neg for V {
    type Output = V;
    fn neg(self) -> V {
        V(-self.0, -self.1)
    }
}
impl AddAssign for V {
    fn add_assign(&mut self, o: V) {
        *self = *self + o
    }
}
impl<'a> Sub<&'a V> for &V {
    type Output = V;
    fn sub(self, o: &V) -> V {
        *self + -*o
    }
}
impl Not for V {
    type Output = bool;
    fn not(self) -> bool {
        self == V::default()
    }
}
impl Shl<&str> for V {
    type Output = String;
    fn shl(self, s: &str) -> String {
        format!("{self:?}<<{s}")
    }
}
impl std::iter::Sum for V {
    fn sum<I: Iterator<Item = V>>(i: I) -> V {
        i.fold(V::default(), |a, b| a + b)
    }
}
impl RemAssign<u8> for V {
    fn rem_assign(&mut self, k: u8) {
        self.0 %= k as f32
    }
}
trait Base: Any {
    fn id(&self) -> u32;
    fn as_any(&self) -> &dyn Any;
    fn describe(&self) -> String {
        format!("base{}", self.id())
    }
}
trait Mid: Base + Debug {
    fn mid(&self) -> u32 {
        self.id() * 2
    }
}
trait Top<T>: Mid + Display
where
    T: Default,
{
    fn top(&self, _: T) -> T {
        T::default()
    }
}
#[derive(Debug)]
struct X(u32);
impl Base for X {
    fn id(&self) -> u32 {
        self.0
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}
impl Mid for X {
    fn mid(&self) -> u32 {
        99
    }
}
impl Display for X {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.pad("X!")
    }
}
impl Top<u8> for X {}
impl Top<String> for X {
    fn top(&self, s: String) -> String {
        s + "!"
    }
}
impl dyn Base {
    fn inherent(&self) -> String {
        format!("inherent {}", self.describe())
    }
}
impl PartialEq for dyn Mid {
    fn eq(&self, o: &dyn Mid) -> bool {
        self.id() == o.id()
    }
}
fn up(b: Box<dyn Top<u8>>) -> Box<dyn Base> {
    let m: Box<dyn Mid> = b;
    m
}
struct P;
impl P {
    fn f(&self) -> u8 {
        1
    }
    fn g() -> u8 {
        3
    }
}
trait PT {
    fn f(&self) -> u8 {
        2
    }
    fn g() -> u8 {
        4
    }
}
impl PT for P {}
trait Z {
    const C: usize = 3;
    type T: Default + Debug;
    fn mk() -> Self::T {
        Self::T::default()
    }
    fn arr() -> [u8; 2] {
        [Self::C as u8; 2]
    }
}
impl Z for u8 {
    type T = (i32, String);
}
impl Z for u16 {
    const C: usize = <u8 as Z>::C + 1;
    type T = [bool; 3];
    fn mk() -> [bool; 3] {
        [true, false, true]
    }
}
fn kind<T: ?Sized + 'static>(_: &T) -> &'static str {
    let t = TypeId::of::<T>();
    if t == TypeId::of::<str>() {
        "str"
    } else if t == TypeId::of::<[u8]>() {
        "bytes"
    } else if t == TypeId::of::<dyn Any>() {
        "any"
    } else {
        type_name::<T>()
    }
}
fn main() {
    let mut w = W(vec![3, 1, 2]);
    w.sort();
    println!("{}", w.len());
    w[0] = 9;
    println!("{:?}", w.iter().max());
    let _s: &[i32] = &w;
    let W(ref inner) = w;
    println!("{inner:?}");
    let mut x = 5;
    println!("{} {} {} {}", x.m(), (&x).m(), (&mut x).m(), (&&x).m());
    println!("{} {}", Box::new(1).m(), (*Box::new(1)).m());
    let r = &&&x;
    println!("{}", r.m());
    println!("{} {} {} {} {}", "a".n(), String::new().n(), [1].n(), [1][..].n(), vec![1].n());
    println!("{}", (&&"q").n());
    println!("{}", String::from("k").as_str().n());
    let mut i = I { a: vec![1, 2, 3], log: Default::default() };
    i[0] += 5;
    let t = i[1];
    i[2] = t;
    let _ = &mut i[0];
    let _ = &i[1];
    std::mem::swap(&mut i.a[0], &mut x);
    println!("{:?} {} {:?} {}", i.log.take(), &i["x"], &i[..], i["q"].len());
    i[1].add_assign(4);
    println!("{} {:?}", i[1].max(i[2]), i.log.take());
    let v = V(1., 2.);
    let mut u = v + v * 2. + -v;
    u += 0.5 * v;
    u %= 2;
    println!("{u:?} {:?} {} {} {:?} {:?}", &u - &v, !u, v << "k", [v, u].into_iter().sum::<V>(), v.partial_cmp(&u));
    let b: Box<dyn Top<u8>> = Box::new(X(4));
    println!("{} {} {} {b} {b:?} {:>5}", b.mid(), b.describe(), b.top(7), b);
    let base = up(b);
    println!(
        "{} {} {:?}",
        base.inherent(),
        base.as_any().is::<X>(),
        (base as Box<dyn Any>).downcast::<X>().map(|x| x.0)
    );
    let (p, q): (Rc<dyn Mid>, Rc<dyn Mid>) = (Rc::new(X(1)), Rc::new(X(1)));
    println!("{} {}", *p == *q, Rc::ptr_eq(&p, &q));
    let t: &dyn Top<String> = &X(2);
    println!("{}", t.top("s".into()));
    println!("{} {} {} {}", P.f(), PT::f(&P), P::g(), <P as PT>::g());
    println!("{:?} {:?} {:?} {:?}", u8::mk(), u16::mk(), <u8 as Z>::arr(), u16::arr());
    println!("{} {} {} {}", kind("x"), kind(&b"ab"[..]), kind(&1u8 as &dyn Any), kind(&Some(vec![(1, 'c')])));
    let a: Vec<Box<dyn Any>> =
        vec![Box::new(1i32), Box::new("s"), Box::new(String::from("t")), Box::new([1u8; 3]), Box::new(|| 3)];
    for e in &a {
        println!(
            "{}",
            if let Some(i) = e.downcast_ref::<i32>() {
                format!("i{i}")
            } else if let Some(s) = e.downcast_ref::<&str>() {
                format!("s{s}")
            } else if e.is::<String>() {
                "string".into()
            } else {
                format!("{}", e.type_id() == TypeId::of::<[u8; 3]>())
            }
        );
    }
    let c: Cow<str> = "abc".into();
    let mut d = c.clone();
    d.to_mut().push('x');
    println!("{} {} {:?} {}", c, d, matches!(c, Cow::Borrowed(_)), c.clone() + "z" + &*d);
    let cs: Cow<[i32]> = Cow::Borrowed(&[1, 2]);
    println!("{:?} {}", cs.iter().rev().collect::<Cow<[&i32]>>(), cs.clone().into_owned().len());
    let mut h: HashMap<String, Vec<i32>> = HashMap::new();
    h.entry("a".into()).or_default().push(1);
    *h.get_mut("a").unwrap() = vec![5];
    println!("{:?} {}", h["a"], h.contains_key("b"));
    let f: fn(&'static str) -> String = Into::into;
    let g: &dyn Fn(i32) -> i32 = &|x| x + 1;
    let hh = |f: &dyn Fn(i32) -> i32| f(f(1));
    println!("{} {} {}", f("q"), hh(g), [1, 2].map(g).len());
    let n: &dyn Fn(&str) -> usize = &str::len;
    println!("{}", n("four"));
}
