// Traits: associated types by `impl Trait`, visitors, states, errors and their sources, unsized structs, iterators.
use std::{
    borrow::*,
    collections::*,
    convert::*,
    error::Error,
    fmt::{self, Debug, Display, Write as _},
    hash::*,
    iter::*,
    marker::*,
    ops::*,
    rc::Rc,
    str::FromStr,
};
trait Plugin {
    fn items(&self) -> impl Iterator<Item = (usize, &str)> + Clone;
    fn mk<T: Into<String>>(t: T) -> impl Display + use<Self, T>
    where
        Self: Sized,
    {
        t.into() + "?"
    }
    async fn a(&self) -> usize {
        self.items().count()
    }
}
struct Words(String);
impl Plugin for Words {
    fn items(&self) -> impl Iterator<Item = (usize, &str)> + Clone {
        self.0.split(' ').enumerate().filter(|(_, w)| !w.is_empty())
    }
}
trait Visitor {
    type Out;
    fn num(&mut self, n: f64) -> Self::Out;
    fn bin(&mut self, op: char, l: Self::Out, r: Self::Out) -> Self::Out;
}
enum Ex {
    N(f64),
    B(char, Box<Ex>, Box<Ex>),
}
impl Ex {
    fn acc<V: Visitor>(&self, v: &mut V) -> V::Out {
        match self {
            Ex::N(n) => v.num(*n),
            Ex::B(o, l, r) => {
                let (l, r) = (l.acc(v), r.acc(v));
                v.bin(*o, l, r)
            }
        }
    }
}
struct Ev;
impl Visitor for Ev {
    type Out = Result<f64, String>;
    fn num(&mut self, n: f64) -> Self::Out {
        Ok(n)
    }
    fn bin(&mut self, op: char, l: Self::Out, r: Self::Out) -> Self::Out {
        let (l, r) = (l?, r?);
        Ok(match op {
            '+' => l + r,
            '*' => l * r,
            '/' if r == 0. => return Err(format!("{l}/0")),
            '/' => l / r,
            _ => unreachable!(),
        })
    }
}
struct Pr(usize);
impl Visitor for Pr {
    type Out = String;
    fn num(&mut self, n: f64) -> String {
        self.0 += 1;
        format!("{n}")
    }
    fn bin(&mut self, o: char, l: String, r: String) -> String {
        self.0 += 1;
        format!("({l} {o} {r})")
    }
}
fn hr(f: impl for<'a> Fn(&'a str, &'a str) -> &'a str) -> String {
    let a = String::from("long");
    let r;
    {
        let b = "b".to_string();
        r = f(&a, &b).to_owned();
    }
    r
}
#[derive(Debug)]
enum MyErr {
    Io(std::io::Error),
    Parse { src: std::num::ParseIntError, line: usize },
    Other(Box<dyn Error + Send + Sync>),
}
impl Display for MyErr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(e) => write!(f, "io: {e}"),
            Self::Parse { line, .. } => write!(f, "line {line}"),
            Self::Other(e) => Display::fmt(e, f),
        }
    }
}
impl Error for MyErr {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Io(e) => Some(e),
            Self::Parse { src, .. } => Some(src),
            Self::Other(e) => e.source(),
        }
    }
}
impl From<std::io::Error> for MyErr {
    fn from(e: std::io::Error) -> Self {
        Self::Io(e)
    }
}
impl From<String> for MyErr {
    fn from(e: String) -> Self {
        Self::Other(e.into())
    }
}
fn pl(s: &str) -> Result<Vec<i32>, MyErr> {
    s.lines()
        .enumerate()
        .map(|(line, l)| {
            if l == "io" {
                Err(std::io::Error::new(std::io::ErrorKind::Interrupted, "x"))?
            } else if l == "o" {
                Err(String::from("oth"))?
            } else {
                l.trim().parse().map_err(|src| MyErr::Parse { src, line })
            }
        })
        .collect()
}
fn chain(e: &(dyn Error + 'static)) -> String {
    successors(Some(e), |e: &&(dyn Error + 'static)| (*e).source())
        .map(|e| e.to_string())
        .collect::<Vec<_>>()
        .join(" <- ")
}
struct Matrix<T, const N: usize>([[T; N]; N]);
impl<T: Copy + Default + AddAssign + Mul<Output = T>, const N: usize> Mul for &Matrix<T, N> {
    type Output = Matrix<T, N>;
    fn mul(self, o: Self) -> Matrix<T, N> {
        let mut r = [[T::default(); N]; N];
        for (i, row) in r.iter_mut().enumerate() {
            for (j, c) in row.iter_mut().enumerate() {
                for k in 0..N {
                    *c += self.0[i][k] * o.0[k][j];
                }
            }
        }
        Matrix(r)
    }
}
impl<T, const N: usize> Index<(usize, usize)> for Matrix<T, N> {
    type Output = T;
    fn index(&self, (i, j): (usize, usize)) -> &T {
        &self.0[i][j]
    }
}
trait State {
    fn next(self: Box<Self>, c: char) -> Box<dyn State>;
    fn name(&self) -> String;
}
struct S0;
struct S1(u32);
impl State for S0 {
    fn next(self: Box<Self>, c: char) -> Box<dyn State> {
        if c.is_ascii_digit() { Box::new(S1(c.to_digit(10).unwrap())) } else { self }
    }
    fn name(&self) -> String {
        "S0".into()
    }
}
impl State for S1 {
    fn next(mut self: Box<Self>, c: char) -> Box<dyn State> {
        match c.to_digit(10) {
            Some(d) => {
                self.0 = self.0 * 10 + d;
                self
            }
            None => Box::new(S0),
        }
    }
    fn name(&self) -> String {
        format!("S1({})", self.0)
    }
}
trait Monoid {
    const ZERO: Self;
    fn op(&self, o: &Self) -> Self;
}
impl Monoid for i32 {
    const ZERO: i32 = 0;
    fn op(&self, o: &i32) -> i32 {
        self + o
    }
}
impl Monoid for String {
    const ZERO: String = String::new();
    fn op(&self, o: &String) -> String {
        format!("{self}{o}")
    }
}
impl<A: Monoid, B: Monoid> Monoid for (A, B) {
    const ZERO: (A, B) = (A::ZERO, B::ZERO);
    fn op(&self, o: &Self) -> Self {
        (self.0.op(&o.0), self.1.op(&o.1))
    }
}
impl<T: Monoid> Monoid for Option<T> {
    const ZERO: Self = None;
    fn op(&self, o: &Self) -> Self {
        match (self, o) {
            (Some(a), Some(b)) => Some(a.op(b)),
            (Some(a), None) | (None, Some(a)) => Some(a.op(&T::ZERO)),
            _ => None,
        }
    }
}
fn fold<M: Monoid>(i: impl IntoIterator<Item = M>) -> M {
    i.into_iter().fold(M::ZERO, |a, b| a.op(&b))
}
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
enum Lv {
    #[default]
    Lo,
    Mid = 5,
    Hi,
}
#[derive(Clone, Debug, PartialEq, PartialOrd, Default)]
struct Rec<T: ?Sized>
where
    T: Default,
{
    a: f32,
    b: (u8, String),
    c: PhantomData<fn(T)>,
    d: [Option<T>; 2],
}
impl FromStr for Lv {
    type Err = Infallible;
    fn from_str(s: &str) -> Result<Self, Infallible> {
        Ok(match s {
            "h" => Lv::Hi,
            "m" => Lv::Mid,
            _ => Lv::Lo,
        })
    }
}
impl TryFrom<i64> for Lv {
    type Error = (i64, &'static str);
    fn try_from(n: i64) -> Result<Self, Self::Error> {
        match n {
            0 => Ok(Lv::Lo),
            5 => Ok(Lv::Mid),
            6 => Ok(Lv::Hi),
            _ => Err((n, "bad")),
        }
    }
}
struct Cd(Rc<str>, i32);
impl PartialEq<str> for Cd {
    fn eq(&self, o: &str) -> bool {
        &*self.0 == o
    }
}
impl PartialOrd<str> for Cd {
    fn partial_cmp(&self, o: &str) -> Option<std::cmp::Ordering> {
        Some((*self.0).cmp(o))
    }
}
impl Borrow<str> for Cd {
    fn borrow(&self) -> &str {
        &self.0
    }
}
impl Hash for Cd {
    fn hash<H: Hasher>(&self, h: &mut H) {
        self.0.hash(h)
    }
}
impl PartialEq for Cd {
    fn eq(&self, o: &Cd) -> bool {
        self.0 == o.0
    }
}
impl Eq for Cd {}
struct Fib {
    a: u64,
    b: u64,
}
impl Iterator for Fib {
    type Item = u64;
    fn next(&mut self) -> Option<u64> {
        let r = self.a;
        self.a = self.b;
        self.b = r.checked_add(self.b)?;
        Some(r)
    }
}
struct Countdown(u8);
impl IntoIterator for Countdown {
    type Item = u8;
    type IntoIter = Rev<RangeInclusive<u8>>;
    fn into_iter(self) -> Self::IntoIter {
        (1..=self.0).rev()
    }
}
impl FromIterator<u8> for Countdown {
    fn from_iter<I: IntoIterator<Item = u8>>(i: I) -> Self {
        Countdown(i.into_iter().max().unwrap_or(0))
    }
}
impl Extend<u8> for Countdown {
    fn extend<I: IntoIterator<Item = u8>>(&mut self, i: I) {
        for x in i {
            self.0 = self.0.max(x)
        }
    }
}
struct Bx<T: ?Sized>(u8, T);
trait An {
    fn an(&self) -> String;
}
impl<T: Debug> An for T {
    fn an(&self) -> String {
        format!("~{self:?}")
    }
}
trait Obj<T = Self> {
    fn get(&self) -> u8 {
        size_of_val(self) as u8
    }
    fn set(&mut self, _: T)
    where
        Self: Sized,
    {
    }
}
impl Obj<u8> for u64 {}
impl Obj<i8> for u64 {
    fn get(&self) -> u8 {
        1
    }
}
fn main() {
    let w = Words("a  bc d".into());
    let i = w.items();
    println!("{:?} {:?} {}", i.clone().count(), i.last(), Words::mk("z"));
    let e = Ex::B('+', Box::new(Ex::N(1.5)), Box::new(Ex::B('/', Box::new(Ex::N(3.)), Box::new(Ex::N(0.)))));
    let mut p = Pr(0);
    println!("{:?} {} {}", e.acc(&mut Ev), e.acc(&mut p), p.0);
    println!("{}", hr(|a, b| if a.len() > b.len() { a } else { b }));
    for s in ["1\n 2 ", "1\nx", "io", "2\no", ""] {
        match pl(s) {
            Ok(v) => println!("{v:?}"),
            Err(e) => println!("{} | {e:?}", chain(&e)),
        }
    }
    let b: Box<dyn Error> = MyErr::Other("q".into()).into();
    println!("{:?} {}", b.downcast_ref::<MyErr>().is_some(), b);
    let m = Matrix([[1, 1], [1, 0]]);
    let r = (0..5).fold(Matrix([[1, 0], [0, 1]]), |a, _| &a * &m);
    println!("{:?} {}", r.0, r[(0, 1)]);
    let mut s: Box<dyn State> = Box::new(S0);
    for c in "a12b7".chars() {
        s = s.next(c);
        print!("{} ", s.name());
    }
    println!();
    println!("{:?} {:?}", fold([(1, Some("a".to_string())), (2, None), (3, Some("b".into()))]), fold::<i32>(None));
    println!(
        "{:?} {:?} {} {:?} {:?}",
        Lv::default(),
        Lv::Mid.max(Lv::Lo),
        Lv::Hi as u8,
        "h".parse::<Lv>(),
        Lv::try_from(7)
    );
    let r: Rec<u8> = Rec { a: f32::NAN, ..Default::default() };
    println!(
        "{r:?} {} {:?} {:?}",
        r == r.clone(),
        r.partial_cmp(&r),
        Rec { a: 1., b: (2, "x".into()), ..r.clone() }.partial_cmp(&Rec { a: 1., b: (1, "y".into()), ..r })
    );
    let mut hs = HashSet::new();
    hs.insert(Cd("k".into(), 1));
    println!(
        "{:?} {} {} {:?}",
        hs.get("k").map(|c| c.1),
        hs.contains("j"),
        *hs.get("k").unwrap() == *"k",
        *hs.get("k").unwrap() < *"l"
    );
    println!(
        "{:?} {:?} {:?}",
        Fib { a: 0, b: 1 }.skip(90).collect::<Vec<_>>(),
        Countdown(4).into_iter().step_by(2).collect::<Vec<_>>(),
        {
            let mut c: Countdown = [3, 9, 2].into_iter().collect();
            c.extend([11]);
            c.0
        }
    );
    let b: &Bx<[u16]> = &Bx(1, [1, 2, 3]);
    let d: Box<Bx<dyn Debug>> = Box::new(Bx(2, "dyn"));
    println!("{} {:?} {} {:?} {} {}", b.1.len(), &b.1, d.0, &d.1, size_of_val(b), size_of_val(&*d));
    println!("{} {} {}", 5.an(), "x".an(), Some(()).an());
    println!("{} {}", Obj::<u8>::get(&1u64), <u64 as Obj<i8>>::get(&1));
    let mut o = String::new();
    write!(o, "{:>5}|{:<3}|{:^5}", Lv::Lo.an(), Wrapper(3), Wrapper(4)).unwrap();
    println!("{o}");
    let c = [3, 1, 2].iter().copied().map(Reverse2).collect::<BinaryHeap<_>>();
    println!("{:?}", c.into_sorted_vec().iter().map(|r| r.0).collect::<Vec<_>>());
    println!(
        "{:?}",
        repeat_with({
            let mut x = 1;
            move || {
                x *= 3;
                x
            }
        })
        .take_while(|x| *x < 100)
        .zip(once('a').chain("bc".chars()))
        .unzip::<_, _, Vec<_>, String>()
    );
    println!(
        "{:?}",
        (1..=3)
            .flat_map(|x| (x..=3).map(move |y| (x, y)))
            .map_while(|(x, y)| (x < 3).then_some(x * y))
            .try_fold(1i8, |a, b| a.checked_mul(b as i8))
    );
}
struct Wrapper(i32);
impl Display for Wrapper {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad_integral(true, "", &self.0.to_string())
    }
}
#[derive(PartialEq, Eq)]
struct Reverse2(i32);
impl Ord for Reverse2 {
    fn cmp(&self, o: &Self) -> std::cmp::Ordering {
        o.0.cmp(&self.0)
    }
}
impl PartialOrd for Reverse2 {
    fn partial_cmp(&self, o: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(o))
    }
}
