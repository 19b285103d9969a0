use std::cmp::{Ordering, Reverse};
use std::collections::{BinaryHeap, LinkedList, VecDeque};

#[derive(Debug, PartialEq, Eq)]
struct Task {
    pri: u32,
    name: &'static str,
}
impl Ord for Task {
    fn cmp(&self, o: &Self) -> Ordering {
        self.pri.cmp(&o.pri).then_with(|| o.name.cmp(self.name))
    }
}
impl PartialOrd for Task {
    fn partial_cmp(&self, o: &Self) -> Option<Ordering> {
        Some(self.cmp(o))
    }
}

fn main() {
    let mut d: VecDeque<i32> = VecDeque::with_capacity(4);
    for i in 0..4 {
        d.push_back(i);
    }
    d.pop_front();
    d.push_back(4);
    d.push_front(-1);
    println!("{:?} {:?} {:?}", d, d.front(), d.back());
    d.rotate_left(2);
    println!("{:?} {} {:?}", d, d[1], d.get(9));
    d.extend([10, 11, 12]);
    d.insert(2, 77);
    println!("{:?} {:?}", d.remove(0), d);
    println!("{:?}", d.iter().rev().step_by(2).collect::<Vec<_>>());
    println!("{:?} {:?}", d.range(1..3).collect::<Vec<_>>(), d.contains(&77));
    d.make_contiguous().sort();
    println!("{:?} {:?}", d, d.binary_search(&77));
    d.retain(|x| x % 2 == 0);
    d.truncate(3);
    println!("{:?} {:?}", d.drain(1..).collect::<Vec<_>>(), d);
    d.resize(3, 0);
    d.swap(0, 2);
    println!("{:?} {:?}", d, Vec::from(d.clone()));
    println!("{}", d == [0, 0, -1].map(|x| x * 2 + x).into_iter().collect::<VecDeque<_>>());
    let mut w = VecDeque::new();
    let mut maxes = vec![];
    let xs = [1, 3, -1, -3, 5, 3, 6, 7];
    for i in 0..xs.len() {
        while w.back().is_some_and(|&j: &usize| xs[j] <= xs[i]) {
            w.pop_back();
        }
        w.push_back(i);
        if w[0] + 3 <= i {
            w.pop_front();
        }
        if i >= 2 {
            maxes.push(xs[w[0]]);
        }
    }
    println!("{:?}", maxes);
    let mut h = BinaryHeap::from(vec![3, 1, 4, 1, 5]);
    h.push(9);
    println!("{:?} {}", h.peek(), h.len());
    *h.peek_mut().unwrap() = 0;
    print!("heap:");
    while let Some(x) = h.pop() {
        print!(" {x}");
    }
    println!();
    let mut r: BinaryHeap<Reverse<(u32, &str)>> = [Reverse((2, "b")), Reverse((1, "z")), Reverse((1, "a"))].into();
    println!("{:?} {:?}", r.pop().map(|Reverse(x)| x), r.into_sorted_vec());
    let mut t = BinaryHeap::new();
    for (pri, name) in [(2, "mid"), (9, "top"), (2, "also"), (0, "low")] {
        t.push(Task { pri, name });
    }
    println!("{:?}", std::iter::from_fn(|| t.pop()).map(|t| t.name).collect::<Vec<_>>());
    let mut l: LinkedList<&str> = ["b", "c"].into();
    l.push_front("a");
    l.push_back("d");
    let mut tail = l.split_off(2);
    tail.append(&mut LinkedList::from(["e"]));
    println!("{:?} {:?} {:?}", l, tail, tail.len());
    for s in tail.iter_mut() {
        *s = &s[..0];
    }
    println!("{:?} {:?} {:?} {:?}", tail, l.pop_front(), l.back(), l.contains(&"b"));
}
