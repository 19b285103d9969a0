struct Fib {
    a: u64,
    b: u64,
}
impl Iterator for Fib {
    type Item = u64;
    fn next(&mut self) -> Option<u64> {
        let r = self.a;
        (self.a, self.b) = (self.b, self.a + self.b);
        Some(r)
    }
}

struct Span {
    lo: i32,
    hi: i32,
}
impl Iterator for Span {
    type Item = i32;
    fn next(&mut self) -> Option<i32> {
        if self.lo >= self.hi {
            return None;
        }
        self.lo += 1;
        Some(self.lo - 1)
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = (self.hi - self.lo).max(0) as usize;
        (n, Some(n))
    }
}
impl DoubleEndedIterator for Span {
    fn next_back(&mut self) -> Option<i32> {
        if self.lo >= self.hi {
            return None;
        }
        self.hi -= 1;
        Some(self.hi)
    }
}
impl ExactSizeIterator for Span {}

struct Grid {
    w: usize,
    cells: Vec<u8>,
}
impl<'a> IntoIterator for &'a Grid {
    type Item = &'a [u8];
    type IntoIter = std::slice::Chunks<'a, u8>;
    fn into_iter(self) -> Self::IntoIter {
        self.cells.chunks(self.w)
    }
}
impl IntoIterator for Grid {
    type Item = u8;
    type IntoIter = std::vec::IntoIter<u8>;
    fn into_iter(self) -> Self::IntoIter {
        self.cells.into_iter()
    }
}

struct Pairs<I: Iterator>(I);
impl<I: Iterator> Iterator for Pairs<I> {
    type Item = (I::Item, I::Item);
    fn next(&mut self) -> Option<Self::Item> {
        Some((self.0.next()?, self.0.next()?))
    }
}
trait PairsExt: Iterator {
    fn pairs(self) -> Pairs<Self>
    where
        Self: Sized,
    {
        Pairs(self)
    }
}
impl<I: Iterator> PairsExt for I {}

struct Bag(Vec<String>);
impl FromIterator<i32> for Bag {
    fn from_iter<T: IntoIterator<Item = i32>>(it: T) -> Bag {
        Bag(it.into_iter().map(|x| format!("<{x}>")).collect())
    }
}
impl Extend<i32> for Bag {
    fn extend<T: IntoIterator<Item = i32>>(&mut self, it: T) {
        for x in it {
            self.0.push(x.to_string());
        }
    }
}
struct Total(i32);
impl std::iter::Sum<Total> for Total {
    fn sum<I: Iterator<Item = Total>>(it: I) -> Total {
        Total(it.map(|t| t.0).sum())
    }
}

fn evens() -> impl Iterator<Item = u32> + Clone {
    (0..).step_by(2)
}
fn boxed<'a>(v: &'a [i32], rev: bool) -> Box<dyn Iterator<Item = &'a i32> + 'a> {
    if rev { Box::new(v.iter().rev()) } else { Box::new(v.iter()) }
}

fn main() {
    println!("{:?}", Fib { a: 0, b: 1 }.take_while(|&x| x < 60).filter(|x| x % 2 == 0).collect::<Vec<_>>());
    let s = Span { lo: 0, hi: 5 };
    println!("{} {:?}", s.len(), s.rev().map(|x| x * x).collect::<Vec<_>>());
    let mut s = Span { lo: 0, hi: 6 };
    println!("{:?} {:?} {:?} {:?}", s.next(), s.next_back(), s.nth(1), s.nth_back(0));
    println!("{:?}", s.collect::<Vec<_>>());
    let g = Grid { w: 2, cells: vec![1, 2, 3, 4, 5] };
    for row in &g {
        print!("{:?} ", row);
    }
    println!("{}", g.into_iter().map(u32::from).sum::<u32>());
    println!("{:?}", "abcde".chars().pairs().collect::<Vec<_>>());
    let mut b: Bag = Span { lo: 7, hi: 9 }.collect();
    b.extend([1, 2]);
    println!("{:?} {}", b.0, [Total(3), Total(4)].into_iter().sum::<Total>().0);
    let e = evens();
    println!("{:?} {:?}", e.clone().nth(3), e.skip(1).next());
    for r in [false, true] {
        println!("{:?}", boxed(&[1, 2, 3], r).map(|x| x + 1).collect::<Vec<_>>());
    }
    let mut dyn_it: &mut dyn Iterator<Item = i32> = &mut Span { lo: 0, hi: 9 };
    println!("{:?} {:?}", dyn_it.next(), dyn_it.take(2).collect::<Vec<_>>());
    println!("{:?}", Iterator::find(&mut dyn_it, |x| x % 4 == 0));
}
