// GATs, const generics with arithmetic of arrays, associated consts, defaults, blanket impls, higher-ranked bounds, PhantomData.
use std::collections::HashMap;
use std::fmt::Debug;
use std::marker::PhantomData;
use std::ops::{Add, AddAssign, Deref, Index, IndexMut, Mul, Neg};
trait Lending { type Item<'a> where Self: 'a; fn next<'a>(&'a mut self) -> Option<Self::Item<'a>>; fn count_all(mut self) -> usize where Self: Sized { let mut n = 0; while self.next().is_some() { n += 1 } n } }
struct Windows<'s, T> { slice: &'s mut [T], at: usize, size: usize }
impl<'s, T> Lending for Windows<'s, T> { type Item<'a> = &'a mut [T] where Self: 'a; fn next<'a>(&'a mut self) -> Option<&'a mut [T]> { let r = self.slice.get_mut(self.at..self.at + self.size)?; self.at += 1; Some(r) } }
trait Family { type Of<T>; fn wrap<T>(x: T) -> Self::Of<T>; fn len<T>(x: &Self::Of<T>) -> usize; }
struct Vecs; struct Opts;
impl Family for Vecs { type Of<T> = Vec<T>; fn wrap<T>(x: T) -> Vec<T> { vec![x] } fn len<T>(x: &Vec<T>) -> usize { x.len() } }
impl Family for Opts { type Of<T> = Option<T>; fn wrap<T>(x: T) -> Option<T> { Some(x) } fn len<T>(x: &Option<T>) -> usize { x.iter().count() * 10 } }
struct Holder<F: Family> { a: F::Of<i32>, b: F::Of<String> }
fn hold<F: Family>() -> usize { let h: Holder<F> = Holder { a: F::wrap(1), b: F::wrap("x".into()) }; F::len(&h.a) + F::len(&h.b) }
#[derive(Debug, Clone, Copy, PartialEq)]
struct Matrix<T, const R: usize, const C: usize>([[T; C]; R]);
impl<T: Copy + Default + AddAssign + Mul<Output = T>, const R: usize, const C: usize, const K: usize> Mul<Matrix<T, C, K>> for Matrix<T, R, C> { type Output = Matrix<T, R, K>; fn mul(self, o: Matrix<T, C, K>) -> Matrix<T, R, K> { let mut m = [[T::default(); K]; R]; for (i, row) in m.iter_mut().enumerate() { for (j, x) in row.iter_mut().enumerate() { for k in 0..C { *x += self.0[i][k] * o.0[k][j] } } } Matrix(m) } }
impl<T: Copy, const R: usize, const C: usize> Matrix<T, R, C> { const CELLS: usize = R * C; fn transpose(&self) -> Matrix<T, C, R> { Matrix(std::array::from_fn(|i| std::array::from_fn(|j| self.0[j][i]))) } }
impl<T, const R: usize, const C: usize> Index<(usize, usize)> for Matrix<T, R, C> { type Output = T; fn index(&self, (r, c): (usize, usize)) -> &T { &self.0[r][c] } }
impl<T, const R: usize, const C: usize> IndexMut<(usize, usize)> for Matrix<T, R, C> { fn index_mut(&mut self, (r, c): (usize, usize)) -> &mut T { &mut self.0[r][c] } }
struct Ring<T, const N: usize = 3> { items: [Option<T>; N], at: usize }
impl<T, const N: usize> Ring<T, N> { const NONE: Option<T> = None; fn new() -> Self { Ring { items: [Self::NONE; N], at: 0 } } fn push(&mut self, x: T) -> Option<T> { let i = self.at % N; self.at += 1; self.items[i].replace(x) } }
trait Unit { const NAME: &'static str; const FACTOR: f64; }
struct Metre; struct Foot;
impl Unit for Metre { const NAME: &'static str = "m"; const FACTOR: f64 = 1.0; }
impl Unit for Foot { const NAME: &'static str = "ft"; const FACTOR: f64 = 0.3048; }
struct Length<U>(f64, PhantomData<U>);
impl<U: Unit> Length<U> { fn new(x: f64) -> Self { Length(x, PhantomData) } fn to<V: Unit>(&self) -> Length<V> { Length::new(self.0 * U::FACTOR / V::FACTOR) } fn show(&self) -> String { format!("{:.3}{}", self.0, U::NAME) } }
impl<U: Unit, V: Unit> Add<Length<V>> for Length<U> { type Output = Length<U>; fn add(self, o: Length<V>) -> Length<U> { Length::new(self.0 + o.to::<U>().0) } }
trait Tree { type Leaf: Debug; const DEPTH: usize; fn leaves(&self) -> Vec<&Self::Leaf>; }
impl<T: Debug> Tree for [T; 1] { type Leaf = T; const DEPTH: usize = 0; fn leaves(&self) -> Vec<&T> { vec![&self[0]] } }
impl<A: Tree> Tree for (A, A) { type Leaf = A::Leaf; const DEPTH: usize = A::DEPTH + 1; fn leaves(&self) -> Vec<&A::Leaf> { let mut l = self.0.leaves(); l.extend(self.1.leaves()); l } }
fn longest<'a, F>(items: &[&'a str], f: F) -> Option<&'a str> where F: for<'b> Fn(&'b str) -> usize { items.iter().copied().max_by_key(|s| f(s)) }
fn group<K, V, I>(items: I) -> Vec<(K, Vec<V>)> where I: IntoIterator<Item = (K, V)>, K: std::hash::Hash + Eq + Ord + Clone { let mut m: HashMap<K, Vec<V>> = HashMap::new(); for (k, v) in items { m.entry(k).or_default().push(v) } let mut all: Vec<_> = m.into_iter().collect(); all.sort_by(|a, b| a.0.cmp(&b.0)); all }
struct Meters(Vec<u8>);
impl Deref for Meters { type Target = Vec<u8>; fn deref(&self) -> &Vec<u8> { &self.0 } }
impl Neg for &Meters { type Output = i32; fn neg(self) -> i32 { -self.iter().map(|x| *x as i32).sum::<i32>() } }
fn sum_all<const N: usize>(x: [i32; N]) -> [i32; N] where [i32; N]: Sized { let mut s = 0; x.map(|v| { s += v; s }) }
fn main() {
    let mut data = [1, 2, 3, 4, 5];
    let mut windows = Windows { slice: &mut data, at: 0, size: 3 };
    while let Some(w) = windows.next() { w[0] += w[2]; print!("{w:?} ") }
    println!("{}", Windows { slice: &mut data, at: 1, size: 2 }.count_all());
    println!("{data:?} {} {}", hold::<Vecs>(), hold::<Opts>());
    let (a, b) = (Matrix([[1, 2, 3], [4, 5, 6]]), Matrix([[1, 0], [0, 1], [2, 2]]));
    let mut c = a * b; c[(0, 1)] = -1;
    println!("{c:?} {:?} {} {}", a.transpose(), Matrix::<u8, 3, 4>::CELLS, c[(1, 0)]);
    let mut ring: Ring<String> = Ring::new();
    println!("{:?}", (0..5).map(|n| ring.push(format!("r{n}"))).collect::<Vec<_>>());
    println!("{} {}", (Length::<Metre>::new(1.0) + Length::<Foot>::new(10.0)).show(), Length::<Foot>::new(1.0).to::<Metre>().show());
    let tree = ((["a"], ["b"]), (["c"], ["d"])); println!("{:?} {}", tree.leaves(), <((([u8; 1], [u8; 1]), ([u8; 1], [u8; 1])), (([u8; 1], [u8; 1]), ([u8; 1], [u8; 1]))) as Tree>::DEPTH);
    println!("{:?} {:?}", longest(&["aa", "bbb", "c"], str::len), longest(&[], |s| s.len()));
    println!("{:?}", group("the cat sat on the mat".split(' ').map(|w| (w.len(), w))));
    println!("{} {} {:?}", -&Meters(vec![1, 2]), Meters(vec![3]).first().unwrap(), sum_all([1, 2, 3, 4]));
    println!("{:?} {:?}", <[String; 2]>::default(), <(u8, Option<char>, [bool; 2])>::default());
}
