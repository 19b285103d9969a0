// Unwinding through frames with half-built values: arguments, struct fields, array elements, boxes, closures, matches.
use std::panic::{catch_unwind, AssertUnwindSafe};

struct Loud(&'static str);
impl Drop for Loud { fn drop(&mut self) { println!("  drop {}", self.0) } }
struct Pair { _a: Loud, _b: Loud }
fn boom(why: &str) -> Loud { panic!("{why}") }
fn two(_a: Loud, _b: Loud) {}
fn late(_a: Loud, _b: Loud) -> Loud { let _c = Loud("local"); boom("in callee") }

macro_rules! case {
    ($name:literal, $body:expr) => {
        println!("{}", $name);
        println!("  {}", catch_unwind(AssertUnwindSafe(|| { let _outer = Loud("outer"); let _ = $body; })).is_err());
    };
}

fn main() {
    std::panic::set_hook(Box::new(|_| ()));
    case!("argument", two(Loud("first"), boom("second")));
    case!("callee", late(Loud("x"), Loud("y")));
    case!("struct", Pair { _a: Loud("field a"), _b: boom("b") });
    case!("struct, other order", Pair { _b: Loud("field b"), _a: boom("a") });
    case!("array", [Loud("0"), Loud("1"), boom("2"), Loud("3")]);
    case!("tuple", (Loud("t0"), boom("t1"), Loud("t2")));
    case!("box", Box::new((Loud("boxed"), boom("in box"))));
    case!("vec", vec![Loud("v0"), boom("v1")]);
    case!("assignment", { let mut old = Loud("old"); old = boom("new"); drop(old) });
    case!("match", match (Loud("scrutinee"), 1) { (ref _l, n) if n > 0 && boom("guard").0 == "" => 1, _ => 2 });
    case!("moved away", { let l = Loud("moved"); let keep = move || { let _l = &l; boom("in closure") }; keep() });
    case!("conditionally", { let l = Loud("maybe"); if std::hint::black_box(true) { drop(l); } boom("after") });
    case!("loop", for i in 0..3 { let _l = Loud(["l0", "l1", "l2"][i]); if i == 1 { boom("loop"); } });
    case!("temporary", two(Loud("t"), Loud("u")).max(drop(boom(&String::from("text")))));
    case!("method chain", Some(Loud("some")).map(|l| (l, boom("map"))).is_some());
    case!("partial", { let pair = (Loud("p0"), Loud("p1")); drop(pair.1); boom("partial") });
    case!("in drop", { struct Bad(#[allow(dead_code)] Loud); impl Drop for Bad { fn drop(&mut self) { println!("  bad"); panic!("in drop") } } let _after = Loud("declared first"); let _bad = Bad(Loud("field of bad")); let _before = Loud("declared last"); });
    case!("vec of bad", { struct Bad(u8); impl Drop for Bad { fn drop(&mut self) { println!("  bad {}", self.0); if self.0 == 1 { panic!("in drop") } } } vec![Bad(0), Bad(1), Bad(2)] });
    case!("iterator", vec![Loud("i0"), Loud("i1"), Loud("i2")].into_iter().for_each(|l| if l.0 == "i1" { panic!() }));
    case!("rc", { let a = std::rc::Rc::new(Loud("rc")); let _b = a.clone(); boom("rc") });
    case!("let else", { let Some(_x) = Some(Loud("let else")).filter(|_| boom("filter").0.is_empty()) else { return }; });
    case!("range of strings", (0..3).map(|i| if i == 2 { boom("2") } else { Loud(["a", "b"][i]) }).collect::<Vec<_>>());
}
