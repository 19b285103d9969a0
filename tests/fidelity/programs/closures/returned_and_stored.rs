// Closures that are returned, stored, composed, recursive, and called through every kind of bound.
use std::collections::HashMap;
fn adder(n: i32) -> impl Fn(i32) -> i32 + Clone { move |x| x + n }
fn counter() -> impl FnMut() -> u32 { let mut n = 0; move || { n += 1; n } }
fn boxed(kind: &str) -> Box<dyn Fn(f64) -> f64 + '_> { match kind { "double" => Box::new(|x| x * 2.0), name => Box::new(move |x| x + name.len() as f64) } }
fn compose<A, B, C>(f: impl Fn(A) -> B, g: impl Fn(B) -> C) -> impl Fn(A) -> C { move |x| g(f(x)) }
fn twice<F: FnMut()>(mut f: F) { f(); f(); }
fn once<F: FnOnce() -> T, T>(f: F) -> T { f() }
fn by_ref(f: &dyn Fn(&str) -> usize) -> usize { f("abc") }
fn by_mut(f: &mut dyn FnMut(i32)) { for x in 0..3 { f(x) } }
fn fix<T, R>(f: &dyn Fn(&dyn Fn(T) -> R, T) -> R, x: T) -> R { f(&|x| fix(f, x), x) }
struct Cache<F: Fn(u64) -> u64> { f: F, seen: HashMap<u64, u64> }
impl<F: Fn(u64) -> u64> Cache<F> { fn get(&mut self, x: u64) -> u64 { *self.seen.entry(x).or_insert_with(|| (self.f)(x)) } }
struct Button<'a> { handlers: Vec<Box<dyn FnMut(&str) -> bool + 'a>> }
impl<'a> Button<'a> { fn on(&mut self, f: impl FnMut(&str) -> bool + 'a) -> &mut Self { self.handlers.push(Box::new(f)); self } fn click(&mut self, text: &str) -> usize { self.handlers.iter_mut().filter_map(|f| f(text).then_some(())).count() } }
struct Loud(&'static str);
impl Drop for Loud { fn drop(&mut self) { println!("drop {}", self.0) } }
fn main() {
    let add = adder(5);
    println!("{} {}", add(1), add.clone()(2));
    let (mut a, mut b) = (counter(), counter());
    println!("{} {} {} {}", a(), a(), b(), a());
    println!("{} {}", boxed("double")(1.5), boxed("four")(1.0));
    println!("{}", compose(compose(|x: i32| x + 1, |x| x * 2), |x| format!("<{x}>"))(4));
    let mut log = vec![];
    twice(|| log.push(log.len()));
    println!("{log:?}");
    println!("{}", once(move || log.len()));
    println!("{} {}", by_ref(&str::len), by_ref(&|s| s.chars().filter(|c| *c > 'a').count()));
    let mut sum = 0;
    by_mut(&mut |x| sum += x);
    println!("{sum} {}", fix(&|rec, n: u64| if n < 2 { n } else { rec(n - 1) + rec(n - 2) }, 15));
    let calls = std::cell::Cell::new(0);
    let mut cache = Cache { f: |x| { calls.set(calls.get() + 1); x * x }, seen: HashMap::new() };
    println!("{} {} {} {}", cache.get(3), cache.get(3), cache.get(4), calls.get());
    let mut texts = vec![];
    { let mut button = Button { handlers: vec![] }; button.on(|t| t.len() > 2).on(|t| { texts.push(t.to_uppercase()); true }); println!("{} {}", button.click("ab"), button.click("abc")); }
    println!("{texts:?}");
    let table: [(&str, fn(i32, i32) -> i32); 3] = [("add", |a, b| a + b), ("mul", |a, b| a * b), ("max", i32::max)];
    println!("{:?}", table.map(|(name, f)| format!("{name}={}", f(3, 4))));
    let (x, y) = (Loud("x"), Loud("y"));
    let f = move || { let _x = &x; println!("in f"); };
    let g = || { let _moved = y; println!("in g"); };
    f(); g(); println!("after g"); f(); drop(f); println!("after f");
    let mut fs: Vec<Box<dyn FnOnce() -> String>> = vec![];
    for i in 0..3 { let s = format!("s{i}"); fs.push(Box::new(move || s + "!")); }
    println!("{:?}", fs.into_iter().rev().map(|f| f()).collect::<Vec<_>>());
    let curry = |a: i32| move |b: i32| move |c: i32| a * 100 + b * 10 + c;
    println!("{}", curry(1)(2)(3));
    let mut point = (1, String::from("p"));
    let mut inc = || point.0 += 1;
    inc(); inc();
    let name = &point.1;
    println!("{name} {}", point.0);
    println!("{} {}", std::mem::size_of_val(&add), std::mem::size_of_val(&curry));
    println!("{:?}", (1..=3).map(|i| move |x: i32| x * i).map(|f| f(10)).collect::<Vec<_>>());
    println!("{:?}", Some(3).map_or_else(|| "none".to_string(), |x| x.to_string()).as_str());
}
