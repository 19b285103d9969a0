use std::iter::{self, *};
use std::ops::ControlFlow;
fn main() {
    let a = [1i32, 2, 3, 4, 5, 6, 7];
    println!("{:?}", a.iter().zip("abc".chars()).collect::<Vec<_>>());
    println!("{:?}", a.into_iter().zip(vec!["x", "y"]).rev().collect::<Vec<_>>().len());
    println!("{:?}", (0..5).zip(10..).map(|(a, b)| a * b).sum::<i32>());
    println!("{:?}", vec![1, 2].into_iter().zip(vec!['a', 'b']).unzip::<i32, char, Vec<_>, String>());
    println!(
        "{:?}",
        a.iter().zip(a.iter().skip(1)).zip(a.iter().skip(2)).map(|((x, y), z)| x + y + z).collect::<Vec<_>>()
    );
    println!("{:?} {:?}", a.iter().zip(&[9, 8]).nth(1), a.chunks(2).zip(a.windows(3)).last());
    for (i, (x, y)) in a.iter().copied().zip(a.iter().rev()).enumerate().step_by(3) {
        print!("{i}:{x}{y} ");
    }
    println!();
    println!(
        "{:?} {:?} {:?}",
        (0..20).step_by(6).collect::<Vec<_>>(),
        (0u8..=255).step_by(100).rev().collect::<Vec<_>>(),
        a.iter().step_by(2).size_hint()
    );
    println!("{:?}", "a,b;c".split([',', ';']).map(str::to_owned).collect::<Vec<_>>());
    println!(
        "{:?} {:?}",
        a.iter().map_while(|&x| (x < 4).then_some(x * 2)).collect::<Vec<_>>(),
        a.iter().take_while(|x| **x < 3).chain(a.iter().skip_while(|x| **x < 6)).collect::<Vec<_>>()
    );
    println!(
        "{} {} {}",
        a.is_sorted(),
        a.iter().rev().is_sorted_by(|a, b| a >= b),
        ["aa", "b"].is_sorted_by_key(|s| s.len())
    );
    println!(
        "{:?} {:?} {} {}",
        a.iter().cmp([1, 2, 4].iter()),
        [1.0, f64::NAN].iter().partial_cmp([1.0, 2.0].iter()),
        a.iter().eq(&[1]),
        a.iter().lt([2].iter())
    );
    println!("{:?}", a.iter().try_for_each(|&x| if x > 3 { Err(x) } else { Ok(()) }));
    println!("{:?}", a.iter().try_fold(0i8, |s, &x| s.checked_add(x as i8 * 20)));
    println!(
        "{:?}",
        a.iter().try_for_each(|&x| if x == 5 { ControlFlow::Break(x) } else { ControlFlow::Continue(()) })
    );
    println!(
        "{:?} {:?}",
        [Some(1), Some(2)].into_iter().sum::<Option<i32>>(),
        ["1", "x"].iter().map(|s| s.parse::<i32>()).sum::<Result<i32, _>>()
    );
    println!(
        "{:?} {:?}",
        [Some(3), None].into_iter().product::<Option<i32>>(),
        ["1", "2"].iter().map(|s| s.parse::<i32>()).collect::<Result<Vec<_>, _>>()
    );
    println!("{:?}", [Ok(1), Err("bad"), Ok(3)].into_iter().collect::<Result<Vec<i32>, &str>>());
    println!("{:?} {:?}", a.iter().max_by_key(|x| *x % 4), a.iter().min_by(|a, b| (*a % 3).cmp(&(*b % 3))));
    println!(
        "{:?}",
        a.iter()
            .scan(1, |s, &x| {
                *s *= x;
                Some(*s)
            })
            .collect::<Vec<_>>()
    );
    println!(
        "{:?} {:?}",
        a.iter().copied().partition::<Vec<i32>, _>(|x| *x % 2 == 0),
        a.iter().is_partitioned_(|x| *x < 4)
    );
    println!("{:?}", vec![vec![1], vec![], vec![2, 3]].into_iter().flatten().rev().collect::<Vec<_>>());
    println!("{:?}", a.iter().flat_map(|&x| iter::repeat_n(x, (x % 3) as usize)).collect::<Vec<_>>());
    let mut p = a.iter().peekable();
    while let Some(x) = p.next_if(|x| **x < 3) {
        print!("{x} ");
    }
    println!("{:?}", p.peek());
    println!("{:?}", p.next_if_eq(&&3));
    println!(
        "{:?}",
        a.iter().inspect(|x| print!("[{x}]")).filter_map(|x| x.checked_sub(5)).fuse().collect::<Vec<_>>()
    );
    println!(
        "{:?} {:?}",
        iter::successors(Some(1u32), |x| x.checked_mul(10)).count(),
        iter::from_fn({
            let mut n = 0;
            move || {
                n += 1;
                (n < 4).then_some(n)
            }
        })
        .collect::<Vec<_>>()
    );
    println!(
        "{:?} {:?}",
        iter::once(1).chain(iter::empty()).chain(iter::repeat(7).take(2)).collect::<Vec<_>>(),
        iter::repeat_with(|| 3).take(2).collect::<Vec<_>>()
    );
    println!(
        "{:?} {:?} {:?}",
        a.iter().rposition(|x| x % 2 == 0),
        a.iter().rfind(|x| **x < 3),
        a.iter().rfold(String::new(), |s, x| s + &x.to_string())
    );
    println!(
        "{:?} {:?}",
        a.iter().cycle().skip(5).take(5).collect::<Vec<_>>(),
        a.iter().reduce(|a, b| if a > b { a } else { b })
    );
    println!(
        "{:?} {:?}",
        a.array_windows::<3>().map(|[a, b, c]| a * b * c).collect::<Vec<_>>(),
        a.as_chunks::<2>()
    );
    println!("{:?}", a.chunk_by(|a, b| b - a == 1 && *b != 4).map(|c| c.len()).collect::<Vec<_>>());
    println!("{:?} {:?}", a.rchunks(3).collect::<Vec<_>>(), a.chunks_exact(3).remainder());
    println!(
        "{:?} {:?}",
        a.split(|x| x % 3 == 0).collect::<Vec<_>>(),
        a.iter().sum::<i32>() as f64 / a.len() as f64
    );
    let mut it = a.iter();
    println!(
        "{:?} {:?} {:?} {:?} {:?}",
        it.by_ref().take(2).collect::<Vec<_>>(),
        it.nth(1),
        it.nth_back(0),
        it.as_slice(),
        it.len()
    );
    println!(
        "{:?}",
        a.iter().map(|x| x * x).rev().skip(1).step_by(2).collect::<std::collections::VecDeque<_>>()
    );
    println!(
        "{:?}",
        ["b", "a"]
            .iter()
            .copied()
            .collect::<std::collections::BTreeSet<_>>()
            .into_iter()
            .collect::<Box<[_]>>()
    );
    println!(
        "{}",
        (1..=3)
            .flat_map(|x| (x..=3).map(move |y| (x, y)))
            .filter(|(x, y)| (x + y) % 2 == 0)
            .map(|(x, y)| format!("{x}{y}"))
            .collect::<Vec<_>>()
            .join("-")
    );
    let v: Vec<i32> = Vec::from_iter(a.iter().copied().filter(|x| x % 2 == 1));
    let s: String = v.iter().map(|x| char::from(b'a' + *x as u8)).collect();
    println!("{v:?} {s}");
    let (mn, mx) = a.iter().fold((i32::MAX, i32::MIN), |(l, h), &x| (l.min(x), h.max(x)));
    println!("{mn} {mx}");
    let mut g = a.iter().copied().map(Some).chain([None]);
    println!("{:?} {:?}", g.find_map(|x| x.filter(|y| *y > 6)), g.next());
    println!("{:?}", vec![3, 1, 2].into_iter().map(|x| x + 1).collect::<Vec<i32>>().iter().copied().min());
    println!(
        "{:?} {:?}",
        (1..4).rev().map(|x| x as u8 as char).last(),
        ('a'..='e').step_by(2).collect::<String>()
    );
    println!(
        "{:?}",
        "hello".chars().rev().enumerate().filter(|(i, _)| i % 2 == 0).map(|(_, c)| c).collect::<String>()
    );
    println!("{:?} {:?}", [[1, 2], [3, 4]].concat(), [vec![1], vec![2]].join(&0));
    println!("{:?}", zip([1, 2], [3, 4]).map(|(a, b)| a * b).collect::<Vec<_>>());
    println!("{:?}", a.iter().skip(2).step_by(2).zip(a.iter().take(2).cycle()).collect::<Vec<_>>());
    let mut v2 = vec![5, 3];
    v2.extend(a.iter().zip(a.iter()).map(|(a, b)| a * b).take(2));
    v2.extend_from_within(..1);
    println!("{v2:?}");
    println!(
        "{:?} {:?}",
        a.iter().min_by_key(|x| (**x - 4).abs()),
        [0.5, -1.0].iter().copied().fold(f64::INFINITY, f64::min)
    );
    println!("{:?}", a.iter().map(|x| x % 3).collect::<std::collections::HashSet<_>>().len());
}
trait Ip: Iterator + Sized {
    fn is_partitioned_(self, f: impl FnMut(Self::Item) -> bool) -> bool {
        let mut m = self.map(f);
        while let Some(true) = m.next() {}
        !m.any(|x| x)
    }
}
impl<I: Iterator> Ip for I {}
