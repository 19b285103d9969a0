use std::collections::HashMap;
use std::fmt::Debug;
trait Named { fn name(&self) -> String; }
impl Named for fn(&u8) { fn name(&self) -> String { "fn(&u8)".into() } }
impl Named for fn(&str) -> &'static str { fn name(&self) -> String { format!("to static {}", self("x")) } }
impl Named for for<'x> fn(&'x str, &'x str) -> &'x str { fn name(&self) -> String { format!("shared {}", self("a", "bc")) } }
impl Named for fn(&'static str) -> usize { fn name(&self) -> String { format!("from static {}", self("abc")) } }
impl<A: Debug + Copy> Named for (fn(A), A) { fn name(&self) -> String { (self.0)(self.1); format!("taker of {:?}", self.1) } }
trait Handler<A> { fn handle(&self, a: A) -> String; }
impl<A, R: Debug, F: Fn(A) -> R> Handler<A> for F { fn handle(&self, a: A) -> String { format!("{:?}", self(a)) } }
fn call<T: Named>(t: T) -> String { t.name() }
fn boxed<T: Named + 'static>(t: T) -> Box<dyn Named> { Box::new(t) }
fn unit(_: &u8) {}
fn fixed(_: &str) -> &'static str { "fixed" }
fn len(x: &'static str) -> usize { x.len() }
fn longest<'a>(a: &'a str, b: &'a str) -> &'a str { if a.len() > b.len() { a } else { b } }
fn apply<A, B>(f: fn(A) -> B, a: A) -> B { f(a) }
fn apply_ref<B>(f: fn(&str) -> B, a: &str) -> B { f(a) }
fn hash<T: std::hash::Hash + Eq + Copy + Debug>(t: T) -> bool { let mut m = HashMap::new(); m.insert(t, 1); m[&t] == 1 && t == t }
struct Table { rows: Vec<(&'static str, fn(&str) -> &'static str)>, hooks: HashMap<String, Box<dyn Fn(&str, &str) -> String>> }
fn main() {
    let a: fn(&u8) = unit;
    let b: fn(&'static u8) = unit;
    let d: fn(&str) -> &'static str = fixed;
    let e: for<'x> fn(&'x str, &'x str) -> &'x str = longest;
    let g: fn(&'static str) -> usize = len;
    println!("{} {} {} {}", call(a), call(d), call(e), call(g));
    for it in [boxed(a), boxed(d), boxed(e), boxed(g)] { println!("{}", it.name()); }
    println!("{} {}", call((b, &5u8)), call((g as fn(&'static str) -> usize, "x").0));
    println!("{} {} {} {}", a.handle(&1), d.handle("q"), Handler::<(&str,)>::handle(&|(x,): (&str,)| x.len(), ("yy",)), g.handle("xyz"));
    println!("{} {} {}", apply(len, "abc"), apply(g, "ab"), apply_ref(d, "z"));
    println!("{} {} {} {}", hash(a), hash(d), hash(e), hash(g));
    let table = Table { rows: vec![("one", fixed), ("two", |_| "other")], hooks: HashMap::from([("j".to_string(), Box::new(|a: &str, b: &str| format!("{a}{b}")) as Box<dyn Fn(&str, &str) -> String>)]) };
    for (name, f) in &table.rows { println!("{name} {}", f(name)); }
    println!("{}", table.hooks["j"]("x", "y"));
    let texts = ["a", "bb"]; println!("{:?} {:?}", texts.iter().copied().map(d).collect::<Vec<_>>(), texts.iter().copied().map(g).sum::<usize>());
    println!("{:?}", std::iter::repeat(e).zip(texts).map(|(f, t)| f(t, "c")).collect::<Vec<_>>());
    let picked = [Some(d), None].into_iter().flatten().next().map(|f| f("u")); println!("{picked:?}");
    let once = std::sync::OnceLock::new(); println!("{}", once.get_or_init(|| d)("v"));
    let t = std::thread::spawn(move || e("long", "s")); println!("{}", t.join().unwrap());
    println!("{}", size_of_val(&(a, b, d, e, g)));
}
