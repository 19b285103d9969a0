// Adapters with their `size_hint`s, from both ends, fused and not, user iterators, `try_*`, `scan`, `map_while`.
use std::iter::{self, FusedIterator};
use std::ops::ControlFlow;

struct Odd { left: u32 }
impl Iterator for Odd {
    type Item = u32;
    fn next(&mut self) -> Option<u32> { self.left = self.left.wrapping_sub(1); (self.left % 3 != 0).then_some(self.left) }
    fn size_hint(&self) -> (usize, Option<usize>) { (0, Some(self.left as usize)) }
}
#[derive(Clone)]
struct Both(i32, i32);
impl Iterator for Both { type Item = i32; fn next(&mut self) -> Option<i32> { (self.0 < self.1).then(|| { self.0 += 1; self.0 - 1 }) } fn size_hint(&self) -> (usize, Option<usize>) { let n = (self.1 - self.0) as usize; (n, Some(n)) } }
impl DoubleEndedIterator for Both { fn next_back(&mut self) -> Option<i32> { (self.0 < self.1).then(|| { self.1 -= 1; self.1 }) } }
impl ExactSizeIterator for Both {}
impl FusedIterator for Both {}

fn show<I: Iterator>(name: &str, iterator: I) where I::Item: std::fmt::Debug {
    let hint = iterator.size_hint();
    println!("{name} {hint:?} {:?}", iterator.collect::<Vec<_>>());
}

fn main() {
    let b = Both(0, 6);
    show("map", b.clone().map(|x| x * x)); show("filter", b.clone().filter(|x| x % 2 == 0)); show("rev", b.clone().rev());
    show("chain", b.clone().chain(10..12)); show("zip", b.clone().zip("abc".chars())); show("enumerate rev", b.clone().enumerate().rev());
    show("skip", b.clone().skip(4)); show("skip rev", b.clone().skip(2).rev()); show("take", b.clone().take(3)); show("take rev", b.clone().take(3).rev());
    show("step", b.clone().step_by(4)); show("step rev", b.clone().step_by(2).rev()); show("skip_while", b.clone().skip_while(|x| *x < 3)); show("take_while", b.clone().take_while(|x| *x < 3));
    show("scan", b.clone().scan(1, |state, x| { *state *= x + 1; (*state < 100).then_some(*state) })); show("map_while", b.clone().map_while(|x| u8::try_from(3 - x).ok()));
    show("flat_map", b.clone().flat_map(|x| 0..x % 3)); show("flatten rev", [vec![1], vec![2, 3]].into_iter().flatten().rev()); show("inspect", b.clone().inspect(|x| if *x == 2 { println!("two") }));
    show("cycle", b.clone().cycle().skip(4).take(5)); show("fuse", Odd { left: 6 }.fuse()); show("filter_map", ["1", "x", "3"].iter().filter_map(|s| s.parse::<i32>().ok()));
    show("once", iter::once(1).chain(iter::empty())); show("repeat", iter::repeat('x').take(3)); show("repeat_n", iter::repeat_n(String::from("s"), 2)); show("successors", iter::successors(Some(1u8), |x| x.checked_mul(4)));
    show("from_fn", { let mut n = 0; iter::from_fn(move || { n += 1; (n < 4).then_some(n) }) }); show("cloned", [1, 2].iter().cloned()); show("windows", [1, 2, 3, 4].windows(3)); show("chunks", [1, 2, 3, 4, 5].chunks(2)); show("rchunks", [1, 2, 3, 4, 5].rchunks(2)); show("exact", [1, 2, 3, 4, 5].chunks_exact(2)); show("chunk_by", [1, 1, 2, 3, 3].chunk_by(|a, b| a == b)); show("array_windows", [1, 2, 3].windows(2).map(|w| w[1] - w[0]));
    let mut odd = Odd { left: 8 }; println!("{:?} {:?} {:?} {:?}", odd.next(), odd.next(), odd.next(), odd.next());
    let mut p = b.clone().peekable(); println!("{:?}", p.peek()); println!("{:?} {:?}", p.next_if_eq(&0), p.size_hint()); println!("{:?}", p.next_if(|x| *x > 5)); *p.peek_mut().unwrap() = 50; println!("{:?} {:?}", p.next(), p.next_back());
    println!("{:?} {:?}", b.clone().try_fold(0i8, |a, x| a.checked_add(x as i8 * 20)), b.clone().try_for_each(|x| if x == 4 { ControlFlow::Break(x) } else { ControlFlow::Continue(()) }));
    println!("{:?} {:?} {:?}", b.clone().rfold(String::new(), |s, x| s + &x.to_string()), b.clone().reduce(|a, x| a * 2 + x), b.clone().rev().position(|x| x == 1));
    println!("{:?} {:?} {:?} {:?}", b.clone().min_by_key(|x| (x - 3).abs()), b.clone().max_by(|a, c| (a % 3).cmp(&(c % 3))), [1.5, 0.5].iter().copied().fold(f64::INFINITY, f64::min), b.clone().rposition(|x| x < 3));
    println!("{:?} {:?}", b.clone().partition::<Vec<_>, _>(|x| x % 3 == 0), b.clone().map(|x| (x, x * 10)).unzip::<_, _, Vec<_>, Vec<_>>());
    println!("{:?} {:?} {:?}", [1, 2].iter().cmp([1, 3].iter()), [1.0].iter().partial_cmp([f64::NAN].iter()), [1, 2].iter().lt([1, 2, 0].iter()));
    println!("{:?} {:?}", ["1", "2"].iter().map(|s| s.parse::<i32>()).collect::<Result<Vec<_>, _>>(), ["1", "b", "c"].iter().map(|s| s.parse::<i32>().map_err(|_| *s)).collect::<Result<Vec<_>, _>>());
    println!("{:?} {:?} {:?}", [Some(1), None].into_iter().sum::<Option<i32>>(), [Ok(2), Err("e")].into_iter().product::<Result<i32, _>>(), (1..=5).product::<u64>());
    println!("{:?} {:?} {:?}", b.clone().nth(2), b.clone().nth_back(1), b.clone().last()); println!("{:?}", b.clone().is_sorted_by_key(|x| -x));
    let mut by = b.clone(); println!("{:?} {:?}", by.by_ref().take(2).collect::<Vec<_>>(), by.collect::<Vec<_>>()); println!("{}", b.len());
    let mut v = vec![1, 2, 3, 4, 5, 6]; println!("{:?} {v:?}", v.extract_if(1..5, |x| *x % 2 == 0).collect::<Vec<_>>());
    println!("{:?}", v.iter().rev().skip(1).map(|x| x + 1).enumerate().collect::<Vec<_>>()); let (a, c): (String, Vec<usize>) = "ab".chars().zip(0..).unzip(); println!("{a} {c:?}");
    println!("{:?}", (0..3).flat_map(|i| (0..i).map(move |j| (i, j))).collect::<std::collections::BTreeMap<_, _>>()); println!("{:?}", (1..4).map(|n| (0..n).sum::<i32>()).rev().collect::<std::collections::VecDeque<_>>());
}
