use std::borrow::Borrow;
use std::collections::BTreeMap;
use std::convert::Infallible;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Even(u32);
impl TryFrom<u32> for Even {
    type Error = String;
    fn try_from(n: u32) -> Result<Even, String> {
        if n % 2 == 0 { Ok(Even(n)) } else { Err(format!("{n} is odd")) }
    }
}
impl From<Even> for u32 {
    fn from(e: Even) -> u32 {
        e.0
    }
}
#[derive(Debug)]
enum Err1 {
    Parse(std::num::ParseIntError),
    Odd(String),
}
impl From<std::num::ParseIntError> for Err1 {
    fn from(e: std::num::ParseIntError) -> Err1 {
        Err1::Parse(e)
    }
}
impl From<String> for Err1 {
    fn from(e: String) -> Err1 {
        Err1::Odd(e)
    }
}
fn read(s: &str) -> Result<Even, Err1> {
    Ok(Even::try_from(s.parse::<u32>()?)?)
}

fn shout<S: AsRef<str>>(s: S) -> String {
    s.as_ref().to_uppercase()
}
fn own(s: impl Into<String>) -> usize {
    let s: String = s.into();
    s.len()
}
fn find<K: Borrow<str> + Ord>(m: &BTreeMap<K, i32>, k: &str) -> Option<i32> {
    m.get(k).copied()
}
fn bytes(b: impl AsRef<[u8]>) -> u32 {
    b.as_ref().iter().map(|x| *x as u32).sum()
}

trait Visitor {
    type Out;
    fn num(&mut self, n: i32) -> Self::Out;
}
struct Show;
impl Visitor for Show {
    type Out = String;
    fn num(&mut self, n: i32) -> String {
        n.to_string()
    }
}
struct Sum(i32);
impl Visitor for Sum {
    type Out = ();
    fn num(&mut self, n: i32) {
        self.0 += n;
    }
}
fn walk<V: Visitor>(v: &mut V, ns: &[i32]) -> Vec<V::Out> {
    ns.iter().map(|n| v.num(*n)).collect()
}

trait Describe {
    fn describe(&self) -> &'static str;
}
impl<T> Describe for Option<T> {
    fn describe(&self) -> &'static str {
        if self.is_some() { "some" } else { "none" }
    }
}
impl<T: Describe, U: Describe> Describe for (T, U) {
    fn describe(&self) -> &'static str {
        if self.0.describe() == self.1.describe() { "same" } else { "differ" }
    }
}
impl<T: Describe + ?Sized> Describe for &T {
    fn describe(&self) -> &'static str {
        (**self).describe()
    }
}

fn compose<A, B, C>(f: impl Fn(A) -> B, g: impl Fn(B) -> C) -> impl Fn(A) -> C {
    move |a| g(f(a))
}

fn main() {
    println!("{:?} {:?}", Even::try_from(4), Even::try_from(5));
    let n: u32 = Even(8).into();
    println!("{n} {:?}", TryInto::<Even>::try_into(n + 1).is_err());
    println!("{:?} {:?} {:?}", read("6").ok(), read("7"), read("x"));
    println!("{} {} {}", shout("abc"), shout(String::from("x")), own("four") + own('c'));
    println!("{:?} {:?}", find(&BTreeMap::from([("a", 1)]), "a"), find(&BTreeMap::from([("b".to_string(), 2)]), "c"));
    println!("{} {} {}", bytes("ab"), bytes([1, 2]), bytes(vec![5u8]));
    let mut s = Sum(0);
    println!("{:?} {:?} {}", walk(&mut Show, &[1, 2]), walk(&mut s, &[3, 4]).len(), s.0);
    println!("{} {} {}", Some(1).describe(), (Some(1), None::<u8>).describe(), (&(&None::<()>, &None::<i8>)).describe());
    println!("{}", compose(|x: i32| x + 1, |y: i32| format!("[{y}]"))(4));
    println!("{:?}", u8::try_from(3u8).map_err(|e: Infallible| match e {}));
    println!("{:?} {:?}", i32::from(true), Option::<i32>::from(3));
    println!("{:?} {:?}", Vec::<u8>::from("hi"), String::from_iter(['a', 'b']));
    println!("{:?} {:?}", <[_; 2]>::from((1, 2)), <(i32, i32)>::from([3, 4]));
    println!("{:?}", Box::<dyn std::error::Error>::from("boxed error").to_string());
    println!("{:?} {:?}", std::rc::Rc::<str>::from("rc"), Box::<[i32]>::from([1, 2]));
}
