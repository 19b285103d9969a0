use std::borrow::Cow;
use std::cell::*;
use std::collections::*;
use std::fmt::{Debug, Display};
use std::hash::{BuildHasher, DefaultHasher, Hash, Hasher};
use std::rc::*;
use std::str::FromStr;
#[derive(Debug)]
struct Node {
    v: i32,
    kids: RefCell<Vec<Rc<Node>>>,
    par: RefCell<Weak<Node>>,
}
impl Drop for Node {
    fn drop(&mut self) {
        println!("drop {}", self.v)
    }
}
fn rcs() {
    let leaf = Rc::new(Node { v: 3, kids: RefCell::default(), par: RefCell::new(Weak::new()) });
    println!("{:?} {}", leaf.par.borrow().upgrade().map(|p| p.v), Rc::strong_count(&leaf));
    {
        let br = Rc::new(Node { v: 5, kids: RefCell::new(vec![leaf.clone()]), par: Weak::new().into() });
        *leaf.par.borrow_mut() = Rc::downgrade(&br);
        println!(
            "{:?} {} {}",
            leaf.par.borrow().upgrade().map(|p| p.v),
            Rc::strong_count(&br),
            Rc::weak_count(&br)
        );
    }
    println!("{:?} {}", leaf.par.borrow().upgrade().is_none(), Rc::strong_count(&leaf));
    let cyc = Rc::new_cyclic(|w: &Weak<Node>| {
        println!("{}", w.upgrade().is_none());
        Node { v: 9, kids: RefCell::default(), par: RefCell::new(w.clone()) }
    });
    println!("{}", cyc.par.borrow().upgrade().unwrap().v);
    let mut r = Rc::new(5);
    *Rc::make_mut(&mut r) += 1;
    let r2 = r.clone();
    *Rc::make_mut(&mut r) += 1;
    println!("{r} {r2}");
    println!("{:?} {:?}", Rc::try_unwrap(r), Rc::into_inner(r2));
    let s: Rc<str> = "abc".into();
    let sl: Rc<[i32]> = vec![1, 2].into();
    let t: Rc<[String]> = ["a", "b"].iter().map(|s| s.to_string()).collect();
    println!("{s} {sl:?} {t:?} {}", Rc::ptr_eq(&s, &s.clone()));
    let d: Rc<dyn Debug> = Rc::new(vec![1]);
    println!("{d:?}");
    let u: Rc<RefCell<dyn Display>> = Rc::new(RefCell::new(4));
    println!("{}", u.borrow());
    let p = Rc::into_raw(Rc::new(7));
    unsafe {
        println!("{}", *p);
        Rc::decrement_strong_count(p)
    }
}
trait Plugin {
    fn run(&mut self, x: i32) -> i32;
    fn boxed(self) -> Box<dyn Plugin>
    where
        Self: Sized + 'static,
    {
        Box::new(self)
    }
}
impl<F: FnMut(i32) -> i32> Plugin for F {
    fn run(&mut self, x: i32) -> i32 {
        self(x)
    }
}
struct Acc(i32);
impl Plugin for Acc {
    fn run(&mut self, x: i32) -> i32 {
        self.0 += x;
        self.0
    }
}
impl<P: Plugin + ?Sized> Plugin for Vec<Box<P>> {
    fn run(&mut self, x: i32) -> i32 {
        self.iter_mut().fold(x, |a, p| p.run(a))
    }
}
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
enum Suit {
    #[default]
    A,
    B(u8),
    C {
        x: i8,
    },
}
#[derive(Debug, PartialEq, Clone)]
struct Rgb(u8, u8, u8);
impl FromStr for Rgb {
    type Err = String;
    fn from_str(s: &str) -> Result<Self, String> {
        let s = s.strip_prefix('#').ok_or_else(|| format!("no #: {s:?}"))?;
        let p = |i: usize| u8::from_str_radix(s.get(i..i + 2).ok_or("short")?, 16).map_err(|e| e.to_string());
        Ok(Rgb(p(0)?, p(2)?, p(4)?))
    }
}
impl From<(u8, u8, u8)> for Rgb {
    fn from((a, b, c): (u8, u8, u8)) -> Self {
        Rgb(a, b, c)
    }
}
impl TryFrom<Vec<u8>> for Rgb {
    type Error = Vec<u8>;
    fn try_from(v: Vec<u8>) -> Result<Self, Vec<u8>> {
        let [a, b, c] = <[u8; 3]>::try_from(v)?;
        Ok(Rgb(a, b, c))
    }
}
impl AsRef<u8> for Rgb {
    fn as_ref(&self) -> &u8 {
        &self.0
    }
}
impl Extend<u8> for Rgb {
    fn extend<I: IntoIterator<Item = u8>>(&mut self, i: I) {
        for x in i {
            self.0 = self.0.wrapping_add(x)
        }
    }
}
impl FromIterator<u8> for Rgb {
    fn from_iter<I: IntoIterator<Item = u8>>(i: I) -> Self {
        let mut r = Rgb(0, 0, 0);
        r.extend(i);
        r
    }
}
impl<'a> IntoIterator for &'a Rgb {
    type Item = &'a u8;
    type IntoIter = std::array::IntoIter<&'a u8, 3>;
    fn into_iter(self) -> Self::IntoIter {
        [&self.0, &self.1, &self.2].into_iter()
    }
}
fn h<T: Hash + ?Sized>(t: &T) -> u64 {
    let mut s = DefaultHasher::new();
    t.hash(&mut s);
    s.finish()
}
fn norm(s: &str) -> Cow<'_, str> {
    if s.contains(' ') { s.replace(' ', "_").into() } else { s.into() }
}
fn gen_sum<T>(xs: &[T]) -> T
where
    T: Copy + std::iter::Sum<T> + std::ops::Mul<Output = T>,
{
    xs.iter().map(|&x| x * x).sum()
}
struct Fib {
    a: u64,
    b: u64,
}
impl Iterator for Fib {
    type Item = u64;
    fn next(&mut self) -> Option<u64> {
        let r = self.a;
        (self.a, self.b) = (self.b, self.a + self.b);
        Some(r)
    }
}
struct Cnt(u32);
impl Iterator for Cnt {
    type Item = u32;
    fn next(&mut self) -> Option<u32> {
        (self.0 > 0).then(|| {
            self.0 -= 1;
            self.0
        })
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0 as usize, Some(self.0 as usize))
    }
}
impl ExactSizeIterator for Cnt {}
impl DoubleEndedIterator for Cnt {
    fn next_back(&mut self) -> Option<u32> {
        self.next()
    }
}
mod shapes {
    pub trait Area {
        fn area(&self) -> f64;
        fn cmp_area(&self, o: &dyn Area) -> std::cmp::Ordering {
            self.area().total_cmp(&o.area())
        }
    }
    macro_rules! shape { ($($n:ident($($f:ident),+) => $e:expr;)+) => { $(pub struct $n { $(pub $f: f64),+ } impl Area for $n { fn area(&self) -> f64 { let $n { $($f),+ } = self; $e } })+ } }
    shape! { Circle(r) => std::f64::consts::PI * r * r; Rect(w, h) => w * h; }
}
use shapes::*;
fn main() {
    rcs();
    let mut ps: Vec<Box<dyn Plugin>> = vec![Box::new(|x| x + 1), Acc(10).boxed(), {
        let mut n = 0;
        (move |x| {
            n += 1;
            x * n
        })
        .boxed()
    }];
    println!("{} {}", ps.run(1), ps.run(1));
    let mut s = vec![Suit::C { x: -1 }, Suit::B(3), Suit::A, Suit::B(1)];
    s.sort();
    println!(
        "{s:?} {:?} {:?} {}",
        Suit::default(),
        Suit::B(1).cmp(&Suit::C { x: 0 }),
        h(&Suit::B(1)) == h(&Suit::B(1))
    );
    println!(
        "{:?} {:?} {:?} {:?}",
        "#ff8000".parse::<Rgb>(),
        "x".parse::<Rgb>(),
        Rgb::from_str("#12"),
        "#zz0000".parse::<Rgb>()
    );
    let r: Rgb = (1, 2, 3).into();
    println!(
        "{} {:?} {:?} {:?}",
        r.as_ref(),
        Rgb::try_from(vec![1, 2]),
        Rgb::try_from(vec![4, 5, 6]),
        [1u8, 255, 3].into_iter().collect::<Rgb>()
    );
    for x in &r {
        print!("{x} ");
    }
    println!("{}", (&r).into_iter().max().unwrap());
    println!("{:x} {:x} {:x}", h("abc"), h(&[1u8, 2][..]), h(&(1u32, 'x', true)));
    println!("{} {} {}", norm("a b"), norm("ab"), matches!(norm("ab"), Cow::Borrowed(_)));
    let mut c: Cow<[i32]> = Cow::Borrowed(&[1, 2]);
    c.to_mut().push(3);
    println!("{c:?} {:?}", c.clone().into_owned());
    println!("{} {}", gen_sum(&[1, 2, 3]), gen_sum(&[0.5, 1.5]));
    println!(
        "{:?} {:?}",
        Fib { a: 0, b: 1 }.skip_while(|x| *x < 10).step_by(2).take(4).collect::<Vec<_>>(),
        Fib { a: 0, b: 1 }.zip(Cnt(4)).rev_()
    );
    println!("{} {:?} {:?}", Cnt(4).len(), Cnt(3).rev().collect::<Vec<_>>(), Cnt(5).rposition(|x| x == 2));
    let (a, b) = (Circle { r: 1.0 }, Rect { w: 2.0, h: 3.0 });
    println!("{:.3} {:?}", a.area(), a.cmp_area(&b));
    let mut v: Vec<&dyn Area> = vec![&b, &a];
    v.sort_by(|x, y| x.cmp_area(*y));
    println!("{:?}", v.iter().map(|x| x.area().round()).collect::<Vec<_>>());
    let text = "the quick brown fox jumps over the lazy dog the end";
    let mut f: BTreeMap<&str, usize> = BTreeMap::new();
    for w in text.split_whitespace() {
        *f.entry(w).or_insert(0) += 1
    }
    let mut top: Vec<_> = f.iter().collect();
    top.sort_by(|a, b| b.1.cmp(a.1).then_with(|| a.0.cmp(b.0)));
    println!("{:?}", &top[..3]);
    let caps: String = text
        .split(' ')
        .map(|w| {
            let mut c = w.chars();
            c.next().map(|f| f.to_uppercase().collect::<String>() + c.as_str()).unwrap_or_default()
        })
        .collect::<Vec<_>>()
        .join(" ");
    println!("{caps}");
    println!(
        "{:?} {:?} {:?}",
        text.find("fox"),
        text.rfind("the"),
        text.match_indices("the").map(|x| x.0).collect::<Vec<_>>()
    );
    println!(
        "{:?}",
        text.char_indices().filter(|(_, c)| "aeiou".contains(*c)).map(|(i, _)| i).take(5).collect::<Vec<_>>()
    );
    println!(
        "{:?} {:?} {:?}",
        "a,b,,c".splitn(3, ',').collect::<Vec<_>>(),
        "a,b,,c".rsplit(',').collect::<Vec<_>>(),
        "a\r\nb\n\nc".lines().collect::<Vec<_>>()
    );
    println!(
        "{:?} {:?} {} {:?}",
        "  x ".trim(),
        "xxabxx".trim_matches('x'),
        "ab".repeat(3),
        "héllo".bytes().rev().next()
    );
    println!(
        "{:?} {:?}",
        "abc".chars().rev().collect::<String>(),
        "a-b_c".split(|c: char| !c.is_alphanumeric()).collect::<Vec<_>>()
    );
    let mut st = String::from("hello");
    st.insert(1, 'é');
    st.insert_str(0, ">>");
    st.replace_range(2..3, "J");
    println!("{st} {:?} {:?} {:?}", st.pop(), st.remove(2), st.drain(..2).collect::<String>());
    st.retain(|c| c != 'l');
    println!("{st} {:?} {}", st.split_off(1), st.is_char_boundary(1));
    println!(
        "{:?}",
        "a=1&b=2"
            .split('&')
            .filter_map(|p| p.split_once('='))
            .map(|(k, v)| (k, v.parse::<i32>().unwrap()))
            .collect::<HashMap<_, _>>()
            .get("b")
    );
    println!("{:?} {:?}", "ǅ".to_lowercase(), 'ß'.is_lowercase());
    println!("{:?}", "x".cmp("y").reverse().then(std::cmp::Ordering::Less));
    println!("{:?} {:?}", "abc" < "abd", ["b", "a"].iter().max());
    println!("{}", i32::pow(2, 10).to_string().len());
    println!("{:?}", std::hash::RandomState::new().hash_one(1) == 0);
}
trait Rv: Iterator + Sized {
    fn rev_(self) -> Vec<Self::Item> {
        let mut v: Vec<_> = self.collect();
        v.reverse();
        v
    }
}
impl<I: Iterator> Rv for I {}
