// Drop order in many positions.
use std::cell::RefCell;
thread_local! { static LOG: RefCell<Vec<String>> = RefCell::new(Vec::new()); }
struct D(&'static str);
impl Drop for D { fn drop(&mut self) { LOG.with(|l| l.borrow_mut().push(self.0.to_string())); } }
impl D { fn id(&self) -> u32 { self.0.len() as u32 } fn me(self) -> D { self } fn opt(&self) -> Option<&D> { Some(self) } }
fn log(s: &str) { LOG.with(|l| l.borrow_mut().push(s.to_string())); }
fn flush(title: &str) { LOG.with(|l| println!("{title}: {}", l.borrow_mut().drain(..).collect::<Vec<_>>().join(" "))); }
fn mk(n: &'static str) -> D { log(&format!("+{n}")); D(n) }
fn two(_a: D, b: D, (_c, d): (D, D)) -> u32 { log("body"); let _e = mk("e"); b.id() + d.id() }
fn pat(_: D, D(x): &D, _y: D) -> usize { log("body"); x.len() }
fn try_it(fail: bool) -> Result<D, D> { let _a = mk("a"); let b = if fail { Err(mk("err")) } else { Ok(mk("ok")) }?; let _c = mk("c"); Ok(b) }
struct Pair { x: D, y: D }
enum E { A(D, D), B { p: D, q: D }, C }
impl std::ops::Index<usize> for Pair { type Output = D; fn index(&self, i: usize) -> &D { let _t = mk("idx"); if i == 0 { &self.x } else { &self.y } } }
impl std::ops::Add for D { type Output = D; fn add(self, _o: D) -> D { log("add"); mk("sum") } }
impl std::ops::AddAssign<D> for Pair { fn add_assign(&mut self, o: D) { log("+="); self.x = o; } }
impl std::ops::Neg for &D { type Output = D; fn neg(self) -> D { mk("neg") } }
impl std::ops::Deref for Pair { type Target = D; fn deref(&self) -> &D { log("deref"); &self.y } }
fn diverge() -> ! { let _x = mk("dx"); std::panic::panic_any(5u8) }
fn main() {
    std::panic::set_hook(Box::new(|_| ()));
    two(mk("1"), mk("2"), (mk("3"), mk("4"))); flush("args");
    pat(mk("a"), &mk("b"), mk("c")); flush("pat");
    let _ = try_it(false); flush("try ok"); let _ = try_it(true); flush("try err");
    { let p = Pair { y: mk("y"), x: mk("x") }; let Pair { x, .. } = p; log("moved"); let _z = x; } flush("partial");
    { let mut p = Pair { x: mk("x"), y: mk("y") }; p.x = mk("x2"); p += mk("x3"); let _ = p[0].id() + p[1].id(); let _ = p.id(); drop(p.x); p.x = mk("x4"); } flush("assign");
    { let e = [E::A(mk("a"), mk("b")), E::B { q: mk("q"), p: mk("p") }, E::C]; for it in e { match it { E::A(x, _) => drop(x), E::B { p, .. } => { let _p = p; log("B"); } E::C => log("C") } } } flush("enum");
    { match mk("scrut").id() { 5 if mk("guard").id() == 5 => log("arm"), _ => log("other") }; } flush("match");
    { match (mk("l"), mk("r")) { (_, ref r) if r.id() == 2 => log("no"), (l, _) => { drop(l); log("yes") } } } flush("tuple match");
    { if let Some(d) = mk("temp").opt() { log(d.0) } else { log("else") } log("after"); } flush("if let");
    { while let Some(d) = mk("w").opt() { if d.id() == 1 { break; } } log("after"); } flush("while let");
    { let x = { let t = mk("t"); t.id() + mk("tail").id() }; log(&x.to_string()); } flush("tail");
    { let r = &mk("ext"); let s = Some(&mk("ext2")); let p = (&mk("ext3"), mk("val")); log("live"); let _ = (r, s, &p); } flush("extended");
    { let _ = mk("wild"); let _k = mk("keep"); _ = mk("assigned"); log("end"); } flush("underscore");
    { let s = mk("a") + mk("b") + -&mk("c"); log("end"); drop(s) } flush("ops");
    { let c = { let a = mk("cap"); move |d: D| { let _b = &a; drop(d); } }; c(mk("d1")); c(mk("d2")); log("end"); } flush("closure");
    { let b: Box<dyn FnOnce() -> D> = { let a = mk("once"); Box::new(move || a) }; let d = b(); log("called"); drop(d); } flush("FnOnce");
    { let v = vec![mk("1"), mk("2"), mk("3"), mk("4")]; let mut i = v.into_iter(); drop(i.next()); drop(i.next_back()); log("mid"); } flush("into_iter");
    { let mut v = vec![mk("1"), mk("2"), mk("3"), mk("4"), mk("5")]; v.drain(1..3); log("drained"); v.truncate(2); log("trunc"); v.retain(|d| d.0 != "4"); log("ret"); v.insert(0, mk("0")); v.swap_remove(0); log("end"); } flush("vec");
    { let a = [mk("1"), mk("2"), mk("3")]; let [x, _, z] = a; log("b"); drop(z); let _x = x; } flush("array");
    { let r = std::panic::catch_unwind(|| { let _a = mk("a"); let _b = [mk("b1"), mk("b2")]; two(mk("1"), diverge(), (mk("3"), mk("4"))); }); log(&r.unwrap_err().downcast_ref::<u8>().unwrap().to_string()); } flush("unwind");
    { let x; let y = mk("y"); x = mk("x"); let _ = (&x, &y); } flush("deferred");
    { let x; if mk("c").id() == 1 { x = mk("x"); log(x.0); } log("end"); } flush("maybe");
    { let mut x = mk("1"); for n in ["2", "3"] { x = mk(n); } x = x.me(); log(x.0); } flush("reassign");
    { let p = Pair { x: mk("x"), y: mk("y") }; let q = Pair { x: mk("nx"), ..p }; log("upd"); drop(q); log("q"); } flush("update");
    { 'a: { let _g = mk("g"); if mk("cond").id() == 4 { break 'a; } log("no"); } log("out"); let v = loop { let _l = mk("l"); break mk("v").id(); }; log(&v.to_string()); } flush("break");
    { let o = Some(mk("o")).and_then(|d| { log(d.0); None::<u8> }); let _ = o; let _ = Ok::<D, D>(mk("ok")).map_err(|e| e.id()).map(|d| d.id()); let mut s = Some(mk("s")); let t = s.replace(mk("r")); let u = s.take(); log("x"); drop(u); drop(t); s.get_or_insert_with(|| mk("goi")); s.insert(mk("ins")); } flush("option");
    { let mut b = Box::new((mk("b0"), mk("b1"))); let m = b.0; log("m"); b.0 = mk("b2"); let (p, _) = *b; log("p"); drop(m); drop(p); } flush("box");
    { let a = mk("&&l").id() == 3 && mk("&&r").id() == 3 || mk("||").id() == 2; log(&a.to_string()); } flush("lazy");
    { let Some(x) = Some(mk("le")) else { return }; log(x.0); let (Ok(y) | Err(y)) = Ok::<D, D>(mk("or")); log(y.0); } flush("let else");
    { let x = mk("sh1"); let x = D(if x.id() == 3 { "sh2" } else { "no" }); log(x.0); let x = x.me(); log(x.0); } flush("shadow");
    { let f = format!("{}{}", mk("fmt").0, mk("fmt2").id()); log(&f); } flush("format");
    { let p = std::mem::ManuallyDrop::new(mk("never")); log(p.0); std::mem::forget(mk("forgot")); let mut a = mk("ra"); let b = std::mem::replace(&mut a, mk("rb")); log("rep"); std::mem::drop(b); } flush("mem");
}
