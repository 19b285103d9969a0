// Iterator adapters in one place, with their size hints and from both ends.
use std::iter;
fn hint(it: &impl Iterator) -> String { format!("{:?}", it.size_hint()) }
fn main() {
    let v = [5, 3, 8, 1, 9, 2];
    println!("{:?}", v.iter().skip_while(|x| **x > 2).take_while(|x| **x != 2).collect::<Vec<_>>());
    println!("{:?}", v.iter().scan(0, |sum, x| { *sum += x; (*sum < 20).then_some(*sum) }).collect::<Vec<_>>());
    println!("{:?}", v.iter().map_while(|x| u8::try_from(*x - 3).ok()).collect::<Vec<_>>());
    println!("{:?}", v.iter().step_by(4).chain(&[7]).rev().collect::<Vec<_>>());
    println!("{:?}", v.iter().flat_map(|&x| iter::repeat_n(x, (x % 3) as usize)).collect::<Vec<_>>());
    println!("{:?}", v.iter().zip("abc".chars()).rev_().collect::<Vec<_>>());
    println!("{:?}", v.iter().enumerate().filter_map(|(i, x)| (i % 2 == 1).then(|| x * 10)).collect::<Vec<_>>());
    let mut peek = v.iter().peekable();
    while let Some(x) = peek.next_if(|x| **x != 8) { print!("{x} "); }
    println!("{:?} {:?} {:?}", peek.peek().copied(), peek.next_if_eq(&&8).copied(), peek.peek_mut().map(|x| { *x = &100; **x }));
    println!("{:?}", peek.collect::<Vec<_>>());
    println!("{:?} {:?}", v.iter().partition::<Vec<i32>, _>(|x| **x > 4), v.iter().copied().reduce(|a, b| a * 10 + b));
    println!("{:?} {:?} {:?}", v.iter().max_by_key(|x| *x % 5), v.iter().min_by(|a, b| b.cmp(a)), v.iter().position(|x| *x == 9));
    println!("{:?} {:?}", v.iter().rposition(|x| *x > 8), v.iter().try_fold(0i8, |sum, x| sum.checked_add(*x as i8 * 6)));
    println!("{:?}", v.iter().try_for_each(|x| if *x == 1 { Err(format!("at {x}")) } else { Ok(()) }));
    println!("{} {} {:?}", v.iter().is_sorted(), [1, 1, 2].is_sorted(), v.iter().sum::<i32>());
    println!("{:?} {:?} {:?}", [1, 2].iter().cmp(&[1, 3]), [1.0].iter().partial_cmp(&[f64::NAN]), [1, 2].iter().lt([1, 2, 0].iter()));
    println!("{:?}", iter::successors(Some(1u32), |x| x.checked_mul(10)).collect::<Vec<_>>());
    println!("{:?}", iter::once(1).chain(iter::empty()).chain(iter::once_with(|| 2)).cycle().skip(1).take(5).collect::<Vec<_>>());
    let mut count = 0;
    println!("{:?}", iter::from_fn(|| { count += 1; (count < 4).then_some(count) }).inspect(|x| print!("<{x}>")).last());
    println!("{:?}", iter::repeat_with(|| { count *= 2; count }).take(4).collect::<Vec<_>>());
    println!("{:?}", (0..20).step_by(6).map(|x| x..x + 2).flatten().collect::<Vec<_>>());
    println!("{:?} {:?}", (0..5).rev().skip(1).nth(1), (0..=5).nth_back(2));
    println!("{} {} {} {}", hint(&(0..10).filter(|_| true)), hint(&(0..10).chain(3..5)), hint(&iter::repeat(1)), hint(&(0..10).step_by(3)));
    println!("{} {} {}", hint(&"añb".chars()), hint(&(0..3).flat_map(|x| 0..x)), hint(&[1, 2, 3].chunks(2)));
    let mut fused = Flicker(0).fuse();
    println!("{:?} {:?} {:?}", fused.next(), fused.next(), fused.next());
    let mut bare = Flicker(0);
    println!("{:?} {:?} {:?}", bare.next(), bare.next(), bare.next());
    let mut range = 0..10;
    println!("{:?} {:?} {range:?}", range.by_ref().take(3).collect::<Vec<_>>(), range.next_back());
    println!("{:?} {:?}", (1..=3).fold(String::new(), |s, x| format!("({s}{x})")), (1..=3).rfold(String::new(), |s, x| format!("({s}{x})")));
    println!("{:?}", [[1, 2], [3, 4]].concat().iter().copied().unzip_());
    println!("{:?}", ["1", "x", "3"].iter().map(|t| t.parse::<i32>()).collect::<Result<Vec<_>, _>>().map_err(|e| e.to_string()));
    println!("{:?} {:?}", ["1", "2"].iter().map(|t| t.parse::<i32>().ok()).sum::<Option<i32>>(), [Some(2), None].into_iter().product::<Option<i32>>());
    println!("{:?}", (0..3).zip(10..).zip("xyz".chars()).map(|((a, b), c)| format!("{a}{b}{c}")).collect::<Vec<_>>().join("-"));
    println!("{:?}", [3, 1, 2].iter().copied().min_by_key(|x| std::cmp::Reverse(*x)));
    println!("{:?} {:?}", [1, 2, 3, 4].iter().array_windows_(), [0; 0].iter().max());
    println!("{:?}", ["b", "a"].into_iter().chain(["c"]).max_by(|a, b| a.cmp(b)));
}
struct Flicker(u8);
impl Iterator for Flicker { type Item = u8; fn next(&mut self) -> Option<u8> { self.0 += 1; (self.0 != 2).then_some(self.0) } }
trait Ext: Iterator + Sized {
    fn rev_(self) -> std::vec::IntoIter<Self::Item> { let mut all: Vec<_> = self.collect(); all.reverse(); all.into_iter() }
    fn array_windows_(self) -> Vec<[Self::Item; 2]> where Self::Item: Clone { let all: Vec<_> = self.collect(); all.windows(2).map(|w| [w[0].clone(), w[1].clone()]).collect() }
    fn unzip_(self) -> (Vec<i32>, Vec<String>) where Self: Iterator<Item = i32> { self.map(|x| (x, x.to_string())).unzip() }
}
impl<I: Iterator> Ext for I {}
