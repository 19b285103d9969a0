// What is dropped when: loops, breaks with values, matches, shadowing, partial moves, replaced values, `?`.
struct D(&'static str, u32);
impl Drop for D { fn drop(&mut self) { println!("  drop {}{}", self.0, self.1) } }
impl D { fn id(&self) -> u32 { self.1 } fn me(self) -> D { println!("  me {}", self.0); self } fn opt(&self) -> Option<u32> { (self.1 % 2 == 0).then_some(self.1) } }
struct Pair { a: D, b: D, c: Option<D> }
enum E { One(D), Two { x: D, y: D }, Nothing }
fn early(n: u32) -> Option<u32> { let _a = D("early", n); let v = D("opt", n).opt()?; let _b = D("late", n); Some(v + D("tmp", n).id()) }
fn result(n: u32) -> Result<D, String> { let d = D("res", n); if n > 1 { return Err(format!("big {}", d.id())); } Ok(d) }
fn pick(e: E) -> u32 { match e { E::One(D(_, n)) => n, E::Two { x, .. } if x.id() > 5 => 100, E::Two { y, .. } => { println!("  chose {}", y.0); y.id() } E::Nothing => 0 } }
fn params(_: D, _b: D, (c, _): (D, D)) -> u32 { println!("  body"); c.id() }
fn main() {
    println!("loop"); let got = loop { let d = D("l", 1); let _e = D("e", 1); if d.id() == 1 { break d } }; println!("got {}", got.id());
    println!("for"); for d in [D("f", 0), D("f", 1), D("f", 2)] { if d.id() == 1 { println!("  break"); break } }
    println!("labelled"); 'o: for i in 0..2 { let _x = D("x", i); for j in 0..2 { let _y = D("y", j); if j == 1 { continue 'o } } }
    println!("while"); let mut v = vec![D("w", 0), D("w", 1)]; while let Some(d) = v.pop() { println!("  {}", d.id()) }
    println!("match"); match D("m", 3).opt() { None => println!("  none"), Some(_) => println!("  some") }
    println!("if let"); if let Some(n) = D("i", 2).opt() { println!("  {n}") } else { println!("  else") }
    println!("shadow"); let s = D("s", 0); let s = D("s", s.id() + 1); println!("  {}", s.id());
    println!("partial"); let p = Pair { a: D("a", 0), b: D("b", 0), c: Some(D("c", 0)) }; let Pair { b, .. } = p; println!("  have b"); drop(b); println!("  rest");
    println!("assign"); let mut p = Pair { a: D("a", 1), b: D("b", 1), c: None }; p.a = D("a", 2); p.c = Some(D("c", 2)); p.c.replace(D("c", 3)); println!("  take {:?}", p.c.take().map(|d| d.id()));
    println!("update"); let q = Pair { b: D("b", 9), ..p }; println!("  {} {}", q.a.id(), q.b.id()); drop(q);
    println!("early"); println!("{:?} {:?}", early(1), early(2));
    println!("result"); println!("{:?}", result(2).map(|d| d.id())); let ok = result(1); println!("{}", ok.is_ok());
    println!("pick"); for e in [E::One(D("o", 1)), E::Two { x: D("tx", 9), y: D("ty", 1) }, E::Two { x: D("tx", 1), y: D("ty", 2) }, E::Nothing] { println!("{}", pick(e)) }
    println!("params"); println!("{}", params(D("p", 1), D("p", 2), (D("p", 3), D("p", 4))));
    println!("chain"); println!("{}", D("ch", 1).me().me().id());
    println!("array"); let [x, _, z] = [D("r", 0), D("r", 1), D("r", 2)]; println!("  {} {}", x.id(), z.id());
    println!("vec"); let mut v: Vec<D> = (0..5).map(|n| D("v", n)).collect(); v.retain(|d| d.id() % 2 == 0); v.truncate(2); v.insert(0, D("v", 9)); v.swap_remove(0); println!("  drain"); v.drain(..1); println!("  end");
    println!("boxed"); let b: Box<dyn FnOnce() -> u32> = { let d = D("bx", 4); Box::new(move || d.id()) }; println!("{}", b());
    println!("swap"); let (mut m, mut n) = (D("m", 1), D("n", 2)); std::mem::swap(&mut m, &mut n); let old = std::mem::replace(&mut m, D("m", 5)); println!("  {}", old.id());
    println!("forget"); std::mem::forget(D("never", 0)); let md = std::mem::ManuallyDrop::new(D("md", 0)); println!("  {}", md.id());
    println!("cond"); let c; if n.id() > 0 { c = D("c", 1); println!("  {}", c.id()) }
    println!("block"); let r = { let t = D("t", 8); t.id() + D("u", 1).id() }; println!("  {r}");
    println!("ref"); let held = &D("held", 1); let _ = D("underscore", 1); let _keep = D("keep", 1); println!("  {}", held.id());
    println!("tuple"); let (t, _) = (D("t1", 1), D("t2", 2)); println!("  {}", t.id());
    println!("end");
}
