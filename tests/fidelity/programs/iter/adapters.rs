fn main() {
    let v = [5, 3, 8, 1];
    println!("{:?}", v.iter().map(|x| x * 2).collect::<Vec<_>>());
    println!("{:?}", v.iter().filter(|x| **x > 2).rev().collect::<Vec<_>>());
    println!("{:?}", v.iter().enumerate().skip(1).step_by(2).collect::<Vec<_>>());
    println!("{:?}", v.iter().zip("abc".chars()).collect::<Vec<_>>());
    println!("{:?}", v.iter().chain(&[9]).take(5).skip_while(|x| **x != 8).collect::<Vec<_>>());
    println!("{:?}", (1..10).take_while(|x| x * x < 30).collect::<Vec<_>>());
    println!("{:?}", (1..6).map_while(|x| if x < 4 { Some(x * 10) } else { None }).collect::<Vec<_>>());
    println!("{:?}", (1..4).flat_map(|x| (0..x).map(move |y| (x, y))).collect::<Vec<_>>());
    println!("{:?}", vec![vec![1], vec![], vec![2, 3]].into_iter().flatten().collect::<Vec<_>>());
    println!("{:?}", [Some(1), None, Some(3)].into_iter().flatten().sum::<i32>());
    println!("{:?}", (1..6).scan(0, |s, x| { *s += x; if *s > 10 { None } else { Some(*s) } }).collect::<Vec<_>>());
    println!("{:?}", ["1", "x", "3"].iter().filter_map(|s| s.parse::<i32>().ok()).collect::<Vec<_>>());
    let mut seen = vec![];
    let s: i32 = (1..4).inspect(|x| seen.push(*x)).sum();
    println!("{s} {:?}", seen);
    println!("{:?}", [1, 2, 3].iter().cycle().skip(2).take(5).collect::<Vec<_>>());
    println!("{:?} {:?}", v.iter().copied().min(), v.iter().max_by_key(|x| (**x as i32 - 4).abs()));
    println!("{:?}", ["bb", "a", "cc"].iter().min_by(|a, b| a.len().cmp(&b.len()).then(b.cmp(a))));
    println!("{} {} {}", v.iter().any(|&x| x == 8), v.iter().all(|&x| x > 1), v.iter().count());
    println!("{:?} {:?} {:?}", v.iter().position(|&x| x == 8), v.iter().rposition(|&x| x > 2), v.iter().last());
    println!("{:?} {:?}", v.iter().fold(String::new(), |a, x| a + &x.to_string()), v.into_iter().reduce(|a, b| a * 10 + b));
    println!("{:?}", (1..=4).product::<u64>());
    println!("{:?}", (0..5).partition::<Vec<_>, _>(|x| x % 2 == 0));
    println!("{:?}", [(1, 'a'), (2, 'b')].into_iter().unzip::<_, _, Vec<_>, String>());
    println!("{:?}", (0..20).step_by(7).rev().collect::<Vec<_>>());
    println!("{:?} {:?}", (1..4).cmp(1..5), [1.0, 2.0].iter().partial_cmp([1.0, f64::NAN].iter()));
    println!("{} {} {}", (1..3).eq([1, 2]), (1..3).lt(1..4), [1, 2, 2].is_sorted());
    println!("{:?} {:?}", (0..3).size_hint(), (0..10).filter(|x| x % 2 == 0).size_hint());
    println!("{:?}", (1..=3).rev().chain(7..9).rev().collect::<Vec<_>>());
    println!("{:?}", std::iter::once(1).chain(std::iter::empty()).chain(std::iter::repeat(2).take(2)).collect::<Vec<_>>());
    println!("{:?}", std::iter::successors(Some(1u32), |x| x.checked_mul(10)).collect::<Vec<_>>());
    println!("{:?}", std::iter::repeat_with({ let mut n = 0; move || { n += 2; n } }).take(3).collect::<Vec<_>>());
    println!("{:?}", std::iter::from_fn({ let mut n = 3; move || { n -= 1; (n >= 0).then_some(n) } }).collect::<Vec<_>>());
    println!("{:?}", std::iter::zip([1, 2], ["a", "b"]).collect::<Vec<_>>());
    println!("{:?}", std::iter::repeat_n("z", 2).collect::<String>());
    let mut it = (1..10).into_iter();
    println!("{:?} {:?} {:?}", it.by_ref().take(2).collect::<Vec<_>>(), it.nth(1), it.next_back());
    println!("{:?}", it.rfold(0, |a, x| a * 10 + x));
    println!("{:?}", ["a", "b"].map(|s| s.len()).iter().sum::<usize>());
    println!("{:?}", (1..=2).flat_map(|x| [x; 2]).map(|x| x as f64 / 2.0).sum::<f64>());
    let mut f = [1, 2].iter().fuse();
    println!("{:?} {:?} {:?} {:?}", f.next(), f.next(), f.next(), f.next());
    println!("{:?}", (0..6).array_chunks_by_hand());
}

trait ByHand: Iterator + Sized {
    fn array_chunks_by_hand(mut self) -> Vec<(Self::Item, Self::Item)> {
        let mut out = vec![];
        while let (Some(a), Some(b)) = (self.next(), self.next()) {
            out.push((a, b));
        }
        out
    }
}
impl<I: Iterator> ByHand for I {}
