// RFC 2229: sizes of closures, what they capture, when it is dropped.
use std::mem::size_of_val;
#[derive(Clone)] struct D(&'static str); impl Drop for D { fn drop(&mut self) { println!("drop {}", self.0); } }
struct P { a: D, b: D, n: (u64, u8) } struct W { p: P, r: Box<P> }
fn p(a: &'static str, b: &'static str) -> P { P { a: D(a), b: D(b), n: (1, 2) } }
fn main() {
    let x = p("xa", "xb"); let c = || x.a.0.len() + x.n.1 as usize; println!("{} {}", size_of_val(&c), c());
    let m = move || x.a.0.len(); println!("{} {}", size_of_val(&m), m()); drop(m); println!("x.b is {}", x.b.0); drop(x.b);
    let mut w = W { p: p("wa", "wb"), r: Box::new(p("ra", "rb")) };
    { let c = || { w.p.n.0 += 1; w.r.n.1 += 1; }; println!("{}", size_of_val(&c)); let mut c = c; c(); c(); } println!("{:?} {:?}", w.p.n, w.r.n);
    let c = move || { let _ = &w.r.a; w.p.b.0 }; println!("{}", size_of_val(&c)); println!("{}", w.p.a.0); println!("{}", c()); drop(c); println!("after c");
    let t = (D("t0"), D("t1")); { let c = || { let _z = t.0; }; c(); println!("c done"); } println!("{}", t.1.0);
    let t = (D("u0"), D("u1")); { let c = || { let _ = t.0; let (_, _) = &t; }; println!("{}", size_of_val(&c)); c(); } println!("u");
    let t = (D("v0"), D("v1")); { let c = || { let _ = t; }; println!("{}", size_of_val(&c)); c(); } println!("v"); drop(t);
    let mut s = (String::from("a"), 5); { let r = &mut s; let mut c = || { r.1 += 1; r.0.push('b'); }; println!("{}", size_of_val(&c)); c(); c(); } println!("{s:?}");
    let r = &s; let c = || r.0.len() + r.1; println!("{}", size_of_val(&c)); println!("{}", c());
    let c = move || r.0.len(); println!("{}", size_of_val(&c)); println!("{}", c());
    #[repr(packed)] struct K { a: u8, b: u32 } let k = K { a: 1, b: 2 }; let c = || { let b = k.b; b + k.a as u32 }; println!("{} {}", size_of_val(&c), c());
    union U { a: u32, b: [u8; 4] } let u = U { a: 258 }; let c = || unsafe { u.b[1] }; println!("{} {}", size_of_val(&c), c());
    let o = Some((D("o1"), 7)); let c = || if let Some((_, n)) = &o { *n } else { 0 }; println!("{} {}", size_of_val(&c), c());
    let o2 = Some(D("o2")); let c = || match o2 { Some(_) => 1, None => 0 }; println!("{} {}", size_of_val(&c), c());
    enum Single { V(D, D) } let sv = Single::V(D("s0"), D("s1")); { let c = || { let Single::V(a, _) = sv; println!("took {}", a.0); }; println!("{}", size_of_val(&c)); c(); } println!("single");
    let arr = [D("a0"), D("a1")]; let c = || { let [x, _] = &arr; x.0 }; println!("{} {}", size_of_val(&c), c());
    let b = Box::new((D("b0"), D("b1"))); let c = move || b.0.0.len(); println!("{} {}", size_of_val(&c), c()); drop(c); println!("box gone");
    let b = Box::new((D("c0"), 5)); let c = || b.1 + 1; println!("{} {}", size_of_val(&c), c()); drop(b);
    let outer = (1u8, (2u16, D("deep"))); let c = || { let d = || outer.1.0 + outer.0 as u16; println!("{}", size_of_val(&d)); d() }; println!("{} {}", size_of_val(&c), c());
    let rm = &mut (1, D("rm")); let mut c = || { let q = &mut *rm; q.0 += 1; q.0 }; println!("{} {}", c(), c()); println!("{}", rm.1.0);
    let mut n = 1; let mut inc = || { n += 1; n }; inc(); inc(); println!("{n}");
    let f: &dyn Fn(i32) -> i32 = &|x| x + n; println!("{} {}", f(1), size_of_val(f)); let z = |x: i32| x; println!("{}", size_of_val(&z));
    println!("end");
}
