use std::cell::*;
use std::iter::*;
use std::ops::ControlFlow;
use std::rc::*;
use std::sync::Arc;
struct Fib(u32, u32);
impl Iterator for Fib {
    type Item = u32;
    fn next(&mut self) -> Option<u32> {
        let n = self.0;
        (self.0, self.1) = (self.1, n.checked_add(self.1)?);
        Some(n)
    }
}
struct Down(u8);
impl Iterator for Down {
    type Item = u8;
    fn next(&mut self) -> Option<u8> {
        self.0 = self.0.checked_sub(1)?;
        Some(self.0)
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0 as usize, Some(self.0 as usize))
    }
}
impl ExactSizeIterator for Down {}
impl FusedIterator for Down {}
impl DoubleEndedIterator for Down {
    fn next_back(&mut self) -> Option<u8> {
        None
    }
}
fn main() {
    println!("{:?} {}", Fib(0, 1).skip_while(|x| *x < 5).step_by(3).take(4).collect::<Vec<_>>(), Fib(0, 1).count());
    println!("{:?} {:?}", Down(4).len(), Down(5).rev().next());
    println!(
        "{:?} {:?}",
        (1..=3).flat_map(|i| repeat_n(i, i)).collect::<Vec<_>>(),
        [[1, 2], [3, 4]].iter().flatten().rev().collect::<Vec<_>>()
    );
    println!("{:?}", (0..10).try_fold(0i8, |a, x| a.checked_add(x * 10)));
    println!(
        "{:?}",
        (1..).try_for_each(|x| if x * x > 50 { ControlFlow::Break(x) } else { ControlFlow::Continue(()) })
    );
    println!(
        "{:?} {:?}",
        ["1", "x", "3"].iter().map(|s| s.parse::<i32>()).collect::<Result<Vec<_>, _>>().is_err(),
        [Some(1), None].into_iter().sum::<Option<i32>>()
    );
    println!(
        "{:?} {:?}",
        [3, 1, 3, 2].iter().enumerate().max_by_key(|(_, v)| **v),
        [3, 1, 1].iter().enumerate().min_by_key(|(_, v)| **v)
    );
    println!(
        "{:?} {:?} {:?}",
        (1..4).zip("abc".chars()).unzip::<_, _, Vec<_>, String>(),
        (0..6).partition::<Vec<_>, _>(|x| x % 2 == 0),
        (0..3).cycle().skip(1).take(5).collect::<Vec<_>>()
    );
    let mut p = [1, 2, 3, 10].iter().peekable();
    let mut g = vec![];
    while let Some(x) = p.next_if(|x| **x < 5) {
        g.push(*x);
    }
    println!("{g:?} {:?}", p.peek());
    println!("{:?}", p.next_if_eq(&&11));
    println!(
        "{:?} {:?}",
        successors(Some(1u8), |x| x.checked_mul(3)).collect::<Vec<_>>(),
        (1..=4)
            .scan(1, |a, x| {
                *a *= x;
                (*a < 20).then_some(*a)
            })
            .collect::<Vec<_>>()
    );
    println!(
        "{:?} {:?} {}",
        (1..=4).reduce(|a, b| a * 10 + b),
        [1, 2, 2].is_sorted_by(|a, b| a < b),
        (0..3).eq([0, 1, 2])
    );
    println!(
        "{:?} {:?} {:?}",
        [1.0, f64::NAN].partial_cmp_(),
        [1, 2].iter().cmp(&[1, 3]),
        "abc".bytes().map_while(|b| (b < b'c').then_some(b)).last()
    );
    println!(
        "{:?} {:?}",
        (0..20).rev().skip(3).step_by(5).rposition(|x| x == 11),
        (0..5).map(|x| x * x).rfold(String::new(), |s, x| s + &x.to_string())
    );
    println!(
        "{:?} {:?} {:?}",
        once(1).chain(empty()).chain([2, 3]).nth_back(1),
        (0..7).size_hint(),
        (0..7).filter(|x| x % 2 == 0).size_hint()
    );
    let mut i = 0;
    let v: Vec<_> = from_fn(|| {
        i += 1;
        (i < 4).then_some(i)
    })
    .inspect(|x| print!("<{x}>"))
    .collect();
    println!("{v:?}");
    println!(
        "{:?} {:?}",
        std::array::from_fn::<_, 4, _>(|i| i * 2).map(|x| x + 1),
        <[i32; 2]>::try_from(&[1, 2, 3][..2])
    );
    let mut a = [5, 3, 8, 1, 9, 2];
    println!("{:?}", a.select_nth_unstable(2));
    a.sort_unstable_by(|x, y| y.cmp(x));
    println!("{a:?} {} {:?}", a.partition_point(|x| *x > 4), a.chunk_by(|x, y| x - y == 1).collect::<Vec<_>>());
    a.copy_within(0..2, 4);
    a[1..4].reverse();
    a.rotate_right(1);
    println!("{a:?} {:?} {:?}", a.rchunks(4).collect::<Vec<_>>(), a.split_first_chunk::<2>());
    let mut w = vec!["bb", "a", "ccc", "dd"];
    w.sort_by_cached_key(|s| s.len());
    w.dedup_by_key(|s| s.len());
    println!("{w:?} {:?} {:?}", w.concat(), w.iter().map(|s| s.len()).collect::<Box<[_]>>());
    let mut v: Vec<i32> = (0..10).collect();
    println!("{:?} {:?}", v.drain(2..=4).collect::<Vec<_>>(), v.splice(0..2, [7, 7, 7]).collect::<Vec<_>>());
    v.swap_remove(1);
    v.extend_from_within(..2);
    v.insert(1, -1);
    println!("{v:?} {:?}", v.split(|x| *x == 7).collect::<Vec<_>>());
    println!("{:?} {:?}", v.iter().copied().array(), [1, 2, 3, 4].windows(2).map(|w| w[0] * w[1]).collect::<Vec<_>>());
    let c = Rc::new_cyclic(|w: &Weak<RefCell<i32>>| {
        assert!(w.upgrade().is_none());
        RefCell::new(3)
    });
    let mut d = Rc::clone(&c);
    *c.borrow_mut() += 1;
    println!("{:?} {} {} {:?}", d, Rc::strong_count(&c), Rc::ptr_eq(&c, &d), 0);
    println!("{}", Rc::get_mut(&mut d).is_none());
    println!("{:?} {:?}", c.try_borrow_mut().map(|_| ()), {
        let _b = c.borrow();
        c.try_borrow_mut().map(|_| ()).map_err(|e| e.to_string())
    });
    drop(d);
    println!("{:?}", Rc::try_unwrap(c).map(|c| c.into_inner()));
    let mut m = Arc::new(vec![1]);
    let n = m.clone();
    Arc::make_mut(&mut m).push(2);
    println!("{m:?} {n:?}");
    println!("{:?}", Arc::into_inner(n));
    let k = Cell::new(5);
    println!("{} {} {:?}", k.replace(6), k.take(), k);
    let o = OnceCell::new();
    println!("{:?} {:?} {}", o.set(1), o.set(2), o.get_or_init(|| 9));
    let z = LazyCell::new(|| {
        print!("init ");
        4
    });
    println!("{} {}", *z, *z);
    let s: Rc<str> = "abc".into();
    let t: Rc<[u8]> = Rc::from(s.as_bytes());
    let u: Box<str> = s.chars().rev().collect::<String>().into();
    println!("{s} {t:?} {u} {:?}", Ref::map(RefCell::new((1, 2)).borrow(), |p| &p.1));
}
trait Pc {
    fn partial_cmp_(&self) -> Option<std::cmp::Ordering>;
}
impl Pc for [f64; 2] {
    fn partial_cmp_(&self) -> Option<std::cmp::Ordering> {
        self.iter().partial_cmp([1.0, 2.0].iter())
    }
}
trait Ar: Iterator + Sized {
    fn array(mut self) -> [Option<Self::Item>; 2] {
        [self.next(), self.last()]
    }
}
impl<I: Iterator> Ar for I {}
