use std::collections::BTreeMap;
use std::panic::Location;
fn make(n: i32) -> impl Fn(i32) -> i32 {
    move |x| x + n
}
fn boxed(n: i32) -> Box<dyn FnMut() -> i32> {
    let mut c = n;
    Box::new(move || {
        c += 1;
        c
    })
}
fn compose<A, B, C>(f: impl Fn(A) -> B, g: impl Fn(B) -> C) -> impl Fn(A) -> C {
    move |x| g(f(x))
}
fn curry(a: i32) -> impl Fn(i32) -> Box<dyn Fn(i32) -> i32> {
    move |b| Box::new(move |c| a * 100 + b * 10 + c)
}
fn apply_n(f: &mut dyn FnMut(usize), n: usize) {
    for i in 0..n {
        f(i)
    }
}
fn once<F: FnOnce() -> String>(f: F) -> String {
    f()
}
fn fnptr(f: fn(&str) -> String, s: &str) -> String {
    f(s)
}
fn hr<F>(f: F) -> usize
where
    F: for<'a> Fn(&'a str) -> &'a str,
{
    f("  hello ").len()
}
#[track_caller]
fn loc(n: u32) -> String {
    format!("{} {}", Location::caller().line(), n)
}
struct S {
    a: String,
    b: Vec<i32>,
    c: (u8, u8),
}
struct Btn<'a> {
    cb: Vec<Box<dyn FnMut(&mut i32) + 'a>>,
}
impl<'a> Btn<'a> {
    fn on(&mut self, f: impl FnMut(&mut i32) + 'a) -> &mut Self {
        self.cb.push(Box::new(f));
        self
    }
    fn fire(&mut self, mut x: i32) -> i32 {
        for c in &mut self.cb {
            c(&mut x)
        }
        x
    }
}
fn memo() -> impl FnMut(u64) -> u64 {
    let mut m = BTreeMap::new();
    fn go(n: u64, m: &mut BTreeMap<u64, u64>) -> u64 {
        if n < 2 {
            return n;
        }
        if let Some(&v) = m.get(&n) {
            return v;
        }
        let r = go(n - 1, m) + go(n - 2, m);
        m.insert(n, r);
        r
    }
    move |n| go(n, &mut m)
}
fn fix<A: Copy, R>(f: &dyn Fn(&dyn Fn(A) -> R, A) -> R, a: A) -> R {
    f(&|x| fix(f, x), a)
}
fn main() {
    println!("{} {}", make(3)(4), compose(make(1), |x| format!("<{x}>"))(5));
    let mut b = boxed(10);
    println!("{} {} {}", b(), b(), (*b)());
    println!("{}", curry(1)(2)(3));
    let mut v = vec![];
    apply_n(&mut |i| v.push(i * i), 4);
    println!("{v:?}");
    let s = String::from("own");
    println!("{}", once(move || s + "ed"));
    println!("{} {}", fnptr(str::to_uppercase, "abc"), fnptr(|s| s.chars().rev().collect(), "abc"));
    println!("{}", hr(str::trim));
    println!("{}", hr(|s| s.trim_start()));
    let f: fn(u32) -> String = loc;
    println!("{}", f(1).len());
    println!("{}", loc(2));
    let r: Vec<String> = [1, 2].iter().map(|&n| loc(n)).collect();
    println!("{r:?}");
    let mut s = S { a: "a".into(), b: vec![1], c: (1, 2) };
    {
        let mut push = |x| s.b.push(x);
        let rd = || s.a.len();
        push(rd() as i32);
        push(7);
        s.c.0 += 1;
        println!("{}", s.c.0);
    }
    let S { a, .. } = s;
    let take = move || a;
    println!("{}", take());
    let inner = {
        let c = &mut s.c;
        let mut f = || {
            let mut g = || {
                c.1 += 5;
                c.1
            };
            g() + g()
        };
        f()
    };
    println!("{inner} {:?} {:?}", s.c, s.b);
    let mut total = 0;
    {
        let mut bt = Btn { cb: vec![] };
        bt.on(|x| *x *= 2).on(|x| *x += 1).on(|x| total += *x);
        println!("{} {}", bt.fire(5), bt.fire(1));
    }
    println!("{total}");
    let mut m = memo();
    println!("{} {}", m(50), m(90));
    println!("{}", fix(&|rec, n: u64| if n == 0 { 1 } else { n * rec(n - 1) }, 10));
    let ops: [(&str, fn(i32, i32) -> i32); 4] =
        [("+", |a, b| a + b), ("-", |a, b| a - b), ("max", std::cmp::max), ("pow", |a, b| a.pow(b as u32))];
    for (n, o) in ops {
        println!("{n} {}", o(7, 3));
    }
    let c = |x: &mut Vec<i32>| -> usize {
        x.push(1);
        x.len()
    };
    let mut q = vec![];
    println!("{} {}", c(&mut q), c(&mut q));
    let cl = {
        let k = vec![1, 2];
        move |x: usize| k.get(x).copied()
    };
    let c2 = cl.clone();
    println!("{:?} {:?}", cl(0), c2(5));
    println!("{}", std::mem::size_of_val(&cl));
    let (mut p, mut q) = ((1, String::from("x")), 0);
    let mut f = || {
        p.0 += 1;
        q += p.0;
    };
    f();
    f();
    println!("{p:?} {q}");
    let o = Some(3)
        .map(make(1))
        .filter(|x| x % 2 == 0)
        .and_then(|x| (x > 3).then(|| x * 10))
        .unwrap_or_else(|| 0);
    println!("{o}");
    let t = (|| -> Result<i32, std::num::ParseIntError> {
        let a: i32 = "12".parse()?;
        let b: i32 = "x".parse()?;
        Ok(a + b)
    })();
    println!("{t:?}");
    let strs: Vec<String> = vec![1, 2].into_iter().map(|i: i32| i.to_string()).collect();
    println!("{}", strs.concat());
    let some: Vec<Option<i32>> = [1, 2].map(Some).to_vec();
    println!("{some:?}");
    #[derive(Debug)]
    struct P(i32, i32);
    println!("{:?}", [1, 2].iter().zip([3, 4]).map(|(a, b)| P(*a, b)).collect::<Vec<_>>());
    let x = 5;
    let add: &dyn Fn(i32) -> i32 = &|y| x + y;
    let mulx = |y| y * x;
    let adds: Vec<&dyn Fn(i32) -> i32> = vec![add, &mulx];
    println!("{:?}", adds.iter().map(|f| f(3)).collect::<Vec<_>>());
}
