use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::fmt::{self, Debug, Display};
use std::ops::*;
trait Lend {
    type Item<'a>
    where
        Self: 'a;
    fn next<'a>(&'a mut self) -> Option<Self::Item<'a>>;
}
struct Windows<'s, T> {
    s: &'s mut [T],
    n: usize,
    at: usize,
}
impl<'s, T> Lend for Windows<'s, T> {
    type Item<'a>
        = &'a mut [T]
    where
        Self: 'a;
    fn next<'a>(&'a mut self) -> Option<&'a mut [T]> {
        if self.at + self.n > self.s.len() {
            return None;
        }
        let r = &mut self.s[self.at..self.at + self.n];
        self.at += 1;
        Some(r)
    }
}
trait Family {
    type Of<T>;
    fn make<T>(t: T) -> Self::Of<T>;
}
struct VecF;
struct OptF;
impl Family for VecF {
    type Of<T> = Vec<T>;
    fn make<T>(t: T) -> Vec<T> {
        vec![t]
    }
}
impl Family for OptF {
    type Of<T> = Option<T>;
    fn make<T>(t: T) -> Option<T> {
        Some(t)
    }
}
fn build<F: Family>() -> (F::Of<i32>, F::Of<&'static str>) {
    (F::make(1), F::make("x"))
}
trait Shape {
    const SIDES: u32;
    const NAME: &'static str = "shape";
    const ARR: [u32; 3] = [Self::SIDES, Self::SIDES + 1, Self::SIDES * 2];
    fn d() -> String {
        format!("{} {} {:?}", Self::NAME, Self::SIDES, Self::ARR)
    }
}
struct Tri;
struct Sq;
impl Shape for Tri {
    const SIDES: u32 = 3;
}
impl Shape for Sq {
    const SIDES: u32 = 4;
    const NAME: &'static str = "square";
}
struct Both<A, B>(A, B);
impl<A: Shape, B: Shape> Shape for Both<A, B> {
    const SIDES: u32 = A::SIDES + B::SIDES;
}
trait Animal: Debug {
    fn name(&self) -> String;
    fn noise(&self) -> &str {
        "..."
    }
}
trait Pet: Animal + Display {
    fn owner(&self) -> &str;
}
trait Super: Pet + Any {
    fn as_any(&self) -> &dyn Any;
}
#[derive(Debug, Clone)]
struct Dog {
    o: String,
}
impl Animal for Dog {
    fn name(&self) -> String {
        "dog".into()
    }
    fn noise(&self) -> &str {
        "woof"
    }
}
impl Display for Dog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{}>", self.o)
    }
}
impl Pet for Dog {
    fn owner(&self) -> &str {
        &self.o
    }
}
impl Super for Dog {
    fn as_any(&self) -> &dyn Any {
        self
    }
}
fn use_animal(a: &dyn Animal) {
    println!("{} {} {:?}", a.name(), a.noise(), a);
}
trait Ext {
    fn shout(&self) -> String;
}
impl<T: Display + ?Sized> Ext for T {
    fn shout(&self) -> String {
        self.to_string().to_uppercase()
    }
}
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default)]
struct V(f64, f64);
impl Add for V {
    type Output = V;
    fn add(self, o: V) -> V {
        V(self.0 + o.0, self.1 + o.1)
    }
}
impl<'a> Add<&'a V> for &'a V {
    type Output = V;
    fn add(self, o: &V) -> V {
        V(self.0 + o.0, self.1 + o.1)
    }
}
impl Mul<f64> for V {
    type Output = V;
    fn mul(self, k: f64) -> V {
        V(self.0 * k, self.1 * k)
    }
}
impl Mul<V> for f64 {
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
impl Not for V {
    type Output = bool;
    fn not(self) -> bool {
        self.0 == 0.0 && self.1 == 0.0
    }
}
impl AddAssign for V {
    fn add_assign(&mut self, o: V) {
        *self = *self + o
    }
}
impl SubAssign<f64> for V {
    fn sub_assign(&mut self, o: f64) {
        self.0 -= o;
        self.1 -= o
    }
}
impl ShlAssign<u32> for V {
    fn shl_assign(&mut self, o: u32) {
        for _ in 0..o {
            *self = *self * 2.0
        }
    }
}
impl BitXor for V {
    type Output = f64;
    fn bitxor(self, o: V) -> f64 {
        self.0 * o.1 - self.1 * o.0
    }
}
impl Rem<i32> for V {
    type Output = (i32, i32);
    fn rem(self, o: i32) -> (i32, i32) {
        (self.0 as i32 % o, self.1 as i32 % o)
    }
}
impl std::iter::Sum for V {
    fn sum<I: Iterator<Item = V>>(it: I) -> V {
        it.fold(V::default(), |a, b| a + b)
    }
}
struct Grid {
    w: usize,
    d: Vec<i32>,
}
impl Index<(usize, usize)> for Grid {
    type Output = i32;
    fn index(&self, (x, y): (usize, usize)) -> &i32 {
        &self.d[y * self.w + x]
    }
}
impl IndexMut<(usize, usize)> for Grid {
    fn index_mut(&mut self, (x, y): (usize, usize)) -> &mut i32 {
        &mut self.d[y * self.w + x]
    }
}
impl Index<Range<usize>> for Grid {
    type Output = [i32];
    fn index(&self, r: Range<usize>) -> &[i32] {
        &self.d[r]
    }
}
struct W(Vec<u8>);
impl Deref for W {
    type Target = Vec<u8>;
    fn deref(&self) -> &Vec<u8> {
        &self.0
    }
}
impl DerefMut for W {
    fn deref_mut(&mut self) -> &mut Vec<u8> {
        &mut self.0
    }
}
fn bounds(r: impl RangeBounds<i32> + Debug) -> String {
    format!("{:?} {:?} {:?} {}", r, r.start_bound(), r.end_bound(), r.contains(&3))
}
fn describe(x: &dyn Any) -> String {
    if let Some(i) = x.downcast_ref::<i32>() {
        format!("i32 {i}")
    } else if let Some(s) = x.downcast_ref::<&str>() {
        format!("str {s}")
    } else if x.is::<Vec<u8>>() {
        "vec".into()
    } else {
        "?".into()
    }
}
fn main() {
    let mut a = [1, 2, 3, 4];
    let mut w = Windows { s: &mut a, n: 2, at: 0 };
    while let Some(x) = w.next() {
        x[1] += x[0];
        println!("{x:?}");
    }
    println!("{:?} {:?}", build::<VecF>(), build::<OptF>());
    println!("{} | {} | {}", Tri::d(), Sq::d(), <Both<Tri, Both<Sq, Tri>>>::d());
    let d = Dog { o: "ann".into() };
    let s: Box<dyn Super> = Box::new(d.clone());
    println!("{} {}", s.owner(), s);
    println!("{:?}", s.as_any().downcast_ref::<Dog>());
    let p: Box<dyn Pet> = s;
    println!("{}", p.shout());
    use_animal(&*p);
    let an: Box<dyn Animal> = p;
    use_animal(an.as_ref());
    let r: std::rc::Rc<dyn Super> = std::rc::Rc::new(d);
    let q: std::rc::Rc<dyn Any> = r;
    println!("{}", q.downcast::<Dog>().unwrap().o);
    println!("{} {}", 12.shout(), "abc".shout());
    let (u, v) = (V(1.0, 2.0), V(3.5, -1.0));
    let mut z = u + v * 2.0;
    z += -u;
    z -= 0.5;
    z <<= 2;
    println!("{:?} {:?} {} {:?} {} {:?}", z, &u + &v, !u, 2.0 * v, u ^ v, v % 2);
    println!("{:?} {:?}", [u, v, z].into_iter().sum::<V>(), u.partial_cmp(&v));
    let mut g = Grid { w: 2, d: vec![0; 4] };
    g[(1, 1)] = 5;
    g[(0, 1)] += 3;
    g[(1, 0)] -= 1;
    println!("{:?} {}", &g[0..4], g[(1, 1)]);
    let mut w = W(vec![3, 1, 2]);
    w.push(0);
    w.sort();
    w[0] = 9;
    println!("{:?} {} {:?}", *w, w.len(), w.iter().max());
    for s in
        [bounds(1..3), bounds(..=3), bounds(4..), bounds(..), bounds((Bound::Excluded(2), Bound::Unbounded))]
    {
        println!("{s}");
    }
    let xs: Vec<Box<dyn Any>> = vec![Box::new(1), Box::new("s"), Box::new(vec![1u8]), Box::new(2.0)];
    for x in &xs {
        println!("{}", describe(&**x));
    }
    println!("{}", TypeId::of::<String>() == TypeId::of::<std::string::String>());
    let mut reg: HashMap<TypeId, Box<dyn Any>> = HashMap::new();
    reg.insert(TypeId::of::<u8>(), Box::new(7u8));
    println!("{:?}", reg.get(&TypeId::of::<u8>()).and_then(|x| x.downcast_ref::<u8>()));
    let b: Box<dyn Any + Send> = Box::new(5i64);
    match b.downcast::<i32>() {
        Ok(_) => println!("no"),
        Err(b) => println!("{}", b.downcast::<i64>().unwrap()),
    }
}
