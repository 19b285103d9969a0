// Iterators of one's own: both ends, exact sizes, fused, peeking, by reference, in trait objects, sums of one's own types.
use std::collections::VecDeque;
use std::iter::{FusedIterator, Peekable, Product, Sum};
#[derive(Clone, Debug)]
struct Countdown { from: u32, to: u32 }
impl Iterator for Countdown {
    type Item = u32;
    fn next(&mut self) -> Option<u32> { (self.from > self.to).then(|| { self.from -= 1; self.from }) }
    fn size_hint(&self) -> (usize, Option<usize>) { let n = (self.from - self.to) as usize; (n, Some(n)) }
    fn nth(&mut self, n: usize) -> Option<u32> { print!("nth{n} "); self.from = self.from.saturating_sub(n as u32).max(self.to); self.next() }
}
impl DoubleEndedIterator for Countdown { fn next_back(&mut self) -> Option<u32> { (self.from > self.to).then(|| { self.to += 1; self.to - 1 }) } }
impl ExactSizeIterator for Countdown {}
impl FusedIterator for Countdown {}
#[derive(Debug, PartialEq, Clone, Copy)]
struct Money(i64);
impl Sum for Money { fn sum<I: Iterator<Item = Money>>(iter: I) -> Money { Money(iter.map(|m| m.0).sum()) } }
impl<'a> Sum<&'a Money> for Money { fn sum<I: Iterator<Item = &'a Money>>(iter: I) -> Money { iter.copied().sum() } }
impl Product<i64> for Money { fn product<I: Iterator<Item = i64>>(iter: I) -> Money { Money(iter.fold(1, |a, b| a * b)) } }
struct Bag(Vec<&'static str>);
impl IntoIterator for Bag { type Item = &'static str; type IntoIter = std::vec::IntoIter<&'static str>; fn into_iter(self) -> Self::IntoIter { self.0.into_iter() } }
impl<'a> IntoIterator for &'a Bag { type Item = &'a &'static str; type IntoIter = std::slice::Iter<'a, &'static str>; fn into_iter(self) -> Self::IntoIter { self.0.iter() } }
impl FromIterator<char> for Bag { fn from_iter<I: IntoIterator<Item = char>>(iter: I) -> Bag { Bag(iter.into_iter().map(|c| if c.is_uppercase() { "upper" } else { "lower" }).collect()) } }
impl Extend<u8> for Bag { fn extend<I: IntoIterator<Item = u8>>(&mut self, iter: I) { for n in iter { self.0.push(["zero", "one", "two"][n as usize % 3]) } } }
#[derive(Debug, PartialEq)]
enum Token { Num(f64), Op(char), Open, Close }
struct Lexer<I: Iterator<Item = char>>(Peekable<I>);
impl<I: Iterator<Item = char>> Iterator for Lexer<I> {
    type Item = Result<Token, String>;
    fn next(&mut self) -> Option<Self::Item> {
        while self.0.next_if(|c| c.is_whitespace()).is_some() {}
        Some(Ok(match *self.0.peek()? {
            '0'..='9' | '.' => { let mut text = String::new(); while let Some(c) = self.0.next_if(|c| c.is_ascii_digit() || *c == '.') { text.push(c) } match text.parse() { Ok(n) => Token::Num(n), Err(e) => return Some(Err(format!("{text}: {e}"))) } }
            '(' => { self.0.next(); Token::Open }
            ')' => { self.0.next(); Token::Close }
            c @ ('+' | '-' | '*' | '/') => { self.0.next(); Token::Op(c) }
            c => { self.0.next(); return Some(Err(format!("unexpected {c:?}"))) }
        }))
    }
}
fn walk<'a>(depth: u32, it: &'a mut dyn Iterator<Item = u32>) -> u32 { match it.next() { Some(x) => x * depth + walk(depth + 1, it), None => 0 } }
fn primes() -> impl Iterator<Item = u32> + Clone { let mut known: Vec<u32> = vec![]; (2..).filter(move |n| { let is = known.iter().take_while(|p| *p * *p <= *n).all(|p| n % p != 0); if is { known.push(*n) } is }) }
fn permutations(items: Vec<u8>) -> Box<dyn Iterator<Item = Vec<u8>>> { if items.is_empty() { return Box::new(std::iter::once(vec![])) } Box::new((0..items.len()).flat_map(move |i| { let mut rest = items.clone(); let x = rest.remove(i); permutations(rest).map(move |mut p| { p.insert(0, x); p }) })) }
fn main() {
    let c = Countdown { from: 8, to: 2 };
    println!("{:?} {:?} {}", c.clone().collect::<Vec<_>>(), c.clone().rev().collect::<Vec<_>>(), c.len());
    println!("{:?} {:?}", c.clone().step_by(2).collect::<Vec<_>>(), c.clone().skip(2).take(3).rev().collect::<Vec<_>>());
    println!("{:?} {:?} {:?}", c.clone().zip(c.clone().rev()).nth(1), c.clone().enumerate().rev().next(), c.clone().chain(0..2).rev().last());
    println!("{:?} {:?} {:?}", c.clone().rposition(|x| x == 3), c.clone().rfind(|x| x % 4 == 0), c.clone().nth_back(1));
    println!("{:?} {:?}", [Money(1), Money(5)].iter().sum::<Money>(), (1..=5).product::<Money>());
    let mut bag: Bag = "aBc".chars().collect(); bag.extend([1, 5]);
    for word in &bag { print!("{word} ") }
    println!("{:?}", bag.into_iter().rev().collect::<Vec<_>>());
    println!("{:?}", Lexer("3.5 + (2*x) - 1.2.3".chars().peekable()).collect::<Vec<_>>());
    println!("{:?}", Lexer("1+(2/4)".chars().peekable()).collect::<Result<VecDeque<_>, _>>());
    println!("{} {:?} {:?}", walk(1, &mut c.clone().map(|x| x + 1)), primes().skip(20).take(4).collect::<Vec<_>>(), primes().find(|p| p % 100 == 1));
    println!("{:?} {}", permutations(vec![1, 2, 3]).map(|p| p.iter().map(u8::to_string).collect::<String>()).collect::<Vec<_>>(), permutations((0..5).collect()).count());
    let mut it = c.clone(); let head: Vec<_> = it.by_ref().take_while(|x| *x > 5).collect(); println!("{head:?} {:?}", it.collect::<Vec<_>>());
    let (mut a, mut b) = (vec![], vec![]); for (i, x) in c.enumerate() { if i % 2 == 0 { &mut a } else { &mut b }.push(x) } println!("{a:?} {b:?}");
}
