use std::cell::Cell;
use std::collections::BTreeMap;

struct State {
    name: String,
    count: u32,
    tags: Vec<&'static str>,
}

fn call_n<F: FnMut() -> u32>(n: usize, mut f: F) -> Vec<u32> {
    (0..n).map(|_| f()).collect()
}
fn consume<R>(f: impl FnOnce() -> R) -> R {
    f()
}
fn by_ref(f: &dyn Fn(&str) -> usize, s: &str) -> usize {
    f(s) + f("x")
}
fn counter() -> impl FnMut() -> u32 {
    let mut n = 0;
    move || {
        n += 1;
        n
    }
}
fn compose(fs: Vec<Box<dyn Fn(i32) -> i32>>) -> impl Fn(i32) -> i32 {
    move |x| fs.iter().fold(x, |a, f| f(a))
}
fn fix(f: &dyn Fn(&dyn Fn(u64) -> u64, u64) -> u64, n: u64) -> u64 {
    f(&|m| fix(f, m), n)
}
fn curry(a: i32) -> impl Fn(i32) -> Box<dyn Fn(i32) -> i32> {
    move |b| Box::new(move |c| a * 100 + b * 10 + c)
}

#[derive(Clone, Copy)]
struct Op {
    name: &'static str,
    f: fn(f64, f64) -> f64,
}

fn main() {
    let mut s = State { name: "n".into(), count: 1, tags: vec!["a"] };
    {
        let name = &s.name;
        let mut bump = || s.count += 1;
        bump();
        bump();
        println!("{name} {}", s.count);
    }
    {
        let mut add = |t| s.tags.push(t);
        println!("disjoint {}", s.name.len());
        add("b");
        add("c");
    }
    let tags = move || s.tags.len();
    println!("{} {}", tags(), s.count);
    println!("{:?}", call_n(3, counter()));
    let (mut a, mut b) = (counter(), counter());
    println!("{} {} {}", a(), a(), b());
    let owned = String::from("consumed");
    println!("{}", consume(move || owned + "!"));
    let base = 10;
    println!("{}", by_ref(&|s| s.len() + base, "four"));
    println!("{}", compose(vec![Box::new(|x| x + 1), Box::new(move |x| x * base as i32), Box::new(i32::abs)])(-5));
    println!("{}", fix(&|rec, n| if n < 2 { 1 } else { n * rec(n - 1) }, 10));
    println!("{}", curry(1)(2)(3));
    let ops = [Op { name: "add", f: |a, b| a + b }, Op { name: "pow", f: f64::powf }, Op { name: "max", f: f64::max }];
    for o in ops {
        println!("{} {}", o.name, (o.f)(2.0, 5.0));
    }
    let c = Cell::new(0);
    let inc = || c.set(c.get() + 1);
    inc();
    let inc2 = &inc;
    inc2();
    (*inc2)();
    println!("{}", c.get());
    let mut v = vec![3, 1, 2];
    let mut cmps = 0;
    v.sort_by(|a, b| {
        cmps += 1;
        a.cmp(b)
    });
    println!("{:?} {}", v, cmps > 0);
    let mut table: BTreeMap<&str, Box<dyn FnMut(i32) -> i32>> = BTreeMap::new();
    let mut total = 0;
    table.insert("sum", Box::new(move |x| { total += x; total }));
    table.insert("sq", Box::new(|x| x * x));
    for i in 1..4 {
        for (k, f) in table.iter_mut() {
            print!("{k}={} ", f(i));
        }
    }
    println!("{total}");
    let f = |x: i32| -> Result<i32, String> { if x > 0 { Ok(x) } else { Err(format!("{x}")) } };
    let g = f;
    println!("{:?} {:?}", f(1).and_then(|x| g(x - 1)), [1, 2].map(f).into_iter().collect::<Result<Vec<_>, _>>());
    let ctor: fn(i32) -> Option<i32> = Some;
    println!("{:?} {:?}", ctor(1), ["a", "b"].map(String::from));
    println!("{:?}", (1..4).map(Wrap).map(|Wrap(x)| x).collect::<Vec<_>>());
    let t = (String::from("t0"), String::from("t1"));
    let u = move || t.0.len();
    println!("{} {}", u(), t.1);
    let mut opt = Some(5);
    let mut take = || opt.take();
    println!("{:?} {:?}", take(), take());
    let nested = |x| move |y| move |z| x + y + z;
    println!("{}", nested(1)(2)(3));
    let once: Box<dyn FnOnce(String) -> usize> = Box::new(|s| s.len());
    println!("{}", once("boxed once".into()));
}
struct Wrap(i32);
