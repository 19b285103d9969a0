use std::collections::*;
use std::rc::Rc;

fn main() {
    let w = ["pear", "fig", "apple", "fig"];
    println!("{:?}", w.iter().collect::<BTreeSet<_>>());
    println!("{:?}", w.iter().map(|s| (s.len(), *s)).collect::<BTreeMap<_, _>>());
    println!("{:?}", w.iter().collect::<HashSet<_>>().len());
    let mut hm: Vec<_> = w.iter().map(|s| (s.len(), *s)).collect::<HashMap<_, _>>().into_iter().collect();
    hm.sort();
    println!("{:?}", hm);
    println!("{:?}", (0..4).collect::<VecDeque<_>>());
    println!("{:?}", (0..3).collect::<LinkedList<_>>());
    println!("{:?}", [2, 9, 4].into_iter().collect::<BinaryHeap<_>>().into_sorted_vec());
    println!("{:?} {:?}", w.concat(), w.iter().map(|s| &s[..1]).collect::<String>());
    println!("{:?}", "xyz".chars().rev().collect::<Box<str>>());
    println!("{:?}", (0..3).collect::<Box<[_]>>());
    println!("{:?}", (0..3).collect::<Rc<[_]>>());
    println!("{:?}", ["1", "2"].iter().map(|s| s.parse::<i32>()).collect::<Result<Vec<_>, _>>());
    println!("{:?}", ["1", "b", "c"].iter().map(|s| s.parse::<i32>()).collect::<Result<Vec<_>, _>>());
    println!("{:?}", [Some(1), Some(2)].into_iter().collect::<Option<Vec<_>>>());
    println!("{:?}", [Some(1), None].into_iter().sum::<Option<i32>>());
    println!("{:?}", ["3", "4"].iter().map(|s| s.parse::<i32>()).product::<Result<i32, _>>());
    println!("{:?}", (0..3).map(|_| ()).collect::<()>());
    println!("{:?}", [1, 2].into_iter().map(|x| (x, x * x)).collect::<(Vec<_>, Vec<_>)>());
    println!("{:?}", (1..10).try_fold(0i8, |a, x| a.checked_add(x * 5)));
    println!("{:?}", (1..4).try_fold(0i8, |a, x| a.checked_add(x)));
    println!("{:?}", [1, 5, 9].iter().try_for_each(|&x| if x > 4 { Err(x) } else { Ok(()) }));
    let r = (1..9).try_fold(1, |a, x| if a > 50 { std::ops::ControlFlow::Break(a) } else { std::ops::ControlFlow::Continue(a * x) });
    println!("{:?}", r);
    let mut p = [1, 1, 2, 3, 3, 3].iter().peekable();
    let mut runs = vec![];
    while let Some(x) = p.next() {
        let mut n = 1;
        while p.next_if_eq(&x).is_some() {
            n += 1;
        }
        runs.push((*x, n));
    }
    println!("{:?}", runs);
    let mut q = "12+3".chars().peekable();
    let mut num = 0;
    while let Some(d) = q.next_if(|c| c.is_ascii_digit()) {
        num = num * 10 + d.to_digit(10).unwrap();
    }
    println!("{num} {:?}", q.peek());
    println!("{:?}", q.collect::<String>());
    let mut pk = [1, 2].into_iter().peekable();
    if let Some(x) = pk.peek_mut() {
        *x = 10;
    }
    println!("{:?}", pk.collect::<Vec<_>>());
    let [a, b] = <[i32; 2]>::try_from(vec![1, 2]).unwrap();
    println!("{} {:?}", a + b, <[i32; 3]>::try_from(&[1, 2][..]).is_err());
    println!("{:?}", (1..=3).map(|i| vec![i; i]).collect::<Vec<_>>().concat());
    println!("{:?}", [3, 1, 2].iter().max_by(|a, b| a.cmp(b)).into_iter().chain(None).count());
    println!("{:?}", [[1, 2], [3, 4]].iter().flatten().rev().collect::<Vec<_>>());
    println!("{:?}", ["b", "a"].iter().min_by_key(|s| s.len()));
}
