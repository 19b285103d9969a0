// Drops while panics unwind: order, nested catches, partially built values, panics in drops of collections.
use std::panic::{AssertUnwindSafe as A, catch_unwind, resume_unwind};
struct D(&'static str);
impl Drop for D { fn drop(&mut self) { println!("  drop {}{}", self.0, if std::thread::panicking() { " (panicking)" } else { "" }) } }
struct Bomb(&'static str, bool);
impl Drop for Bomb { fn drop(&mut self) { println!("  bomb {}", self.0); if self.1 && !std::thread::panicking() { panic!("bomb {}", self.0) } } }
fn text(e: Box<dyn std::any::Any + Send>) -> String { e.downcast_ref::<&str>().map(|s| s.to_string()).or_else(|| e.downcast_ref::<String>().cloned()).unwrap_or("?".into()) }
fn attempt<T>(name: &str, f: impl FnOnce() -> T) { println!("{name}"); match catch_unwind(A(f)) { Ok(_) => println!("  fine"), Err(e) => println!("  caught {}", text(e)) } }
fn boom(s: &str) -> D { panic!("boom {s}") }
struct Two { _a: D, _b: D }
fn main() {
    std::panic::set_hook(Box::new(|i| println!("  hook {}:{}", i.location().unwrap().line(), i.payload_as_str().unwrap_or("-"))));
    attempt("locals", || { let _a = D("a"); let _b = D("b"); { let _c = D("c"); } boom("x") });
    attempt("arguments", || { fn f(_: D, _: D, _: D) {} f(D("1"), D("2"), boom("third")) });
    attempt("struct", || Two { _b: D("b first"), _a: boom("field") });
    attempt("array", || [D("0"), D("1"), boom("2"), D("3")]);
    attempt("vec", || vec![D("v0"), boom("v1")]);
    attempt("collect", || (0..4).map(|n| if n == 2 { boom("iter") } else { D(["n0", "n1", "n2", "n3"][n]) }).collect::<Vec<_>>());
    attempt("array map", || [0, 1, 2].map(|n| if n == 2 { boom("map") } else { D(["m0", "m1"][n]) }));
    attempt("nested", || { let _o = D("outer"); let r = catch_unwind(|| { let _i = D("inner"); boom("inner") }); println!("  inner {}", text(r.err().unwrap())); boom("again") });
    attempt("resume", || { let _d = D("r"); resume_unwind(Box::new("resumed")) });
    attempt("drop panics", || { let _x = D("x"); let _b = Bomb("b", true); let _y = D("y"); });
    attempt("vec of bombs", || { let _v = vec![Bomb("0", false), Bomb("1", true), Bomb("2", true), Bomb("3", false)]; });
    attempt("assign", || { let mut b = Bomb("old", true); b = Bomb("new", false); b.1 });
    attempt("truncate", || { let mut v = vec![Bomb("t0", false), Bomb("t1", true), Bomb("t2", false)]; v.truncate(1); });
    attempt("retain", || { let mut v = vec![D("k0"), D("k1"), D("k2")]; v.retain(|d| if d.0 == "k1" { panic!("retain") } else { d.0 != "k0" }); });
    attempt("sort", || { let mut v = [3, 1, 2]; v.sort_by(|a, b| if *a == 2 || *b == 2 { panic!("compare") } else { a.cmp(b) }); });
    attempt("clone", || { struct C(u8); impl Clone for C { fn clone(&self) -> C { if self.0 == 2 { panic!("clone") } C(self.0) } } impl Drop for C { fn drop(&mut self) { println!("  c{}", self.0) } } let v = vec![C(0), C(1), C(2)]; v.clone() });
    attempt("box", || { let _b: Box<dyn std::any::Any> = Box::new(Two { _a: D("ba"), _b: D("bb") }); boom("box") });
    attempt("refcell", || { let c = std::cell::RefCell::new(1); let _g = c.borrow_mut(); *c.borrow() });
    attempt("mutex", || { let m = std::sync::Mutex::new(1); let _ = catch_unwind(A(|| { let _g = m.lock().unwrap(); boom("lock") })); println!("  {}", m.is_poisoned()); *m.lock().unwrap() });
    attempt("scope", || std::thread::scope(|s| { let h = s.spawn(|| { let _d = D("thread"); boom("thread") }); text(h.join().err().unwrap()).len() }));
    attempt("index", || [1, 2, 3][std::hint::black_box(7)]);
    attempt("unwrap", || None::<u8>.unwrap());
    attempt("expect", || Err::<u8, _>("why").expect("what"));
    attempt("overflow", || std::hint::black_box(255u8) + 1);
    attempt("divide", || 1 / std::hint::black_box(0));
    attempt("slice", || "héllo"[2..].len());
    attempt("custom", || std::panic::panic_any(42u8));
    attempt("assert", || assert_eq!(1 + 1, 3, "sum of {}", 1));
    attempt("todo", || -> u8 { todo!("later") });
    attempt("unreachable", || -> u8 { unreachable!() });
    let _ = std::panic::take_hook();
    println!("end");
}
