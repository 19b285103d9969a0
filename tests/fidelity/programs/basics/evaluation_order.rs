#![allow(unused_must_use, unused)]
use std::cell::RefCell;
use std::ops::*;
thread_local!(static LOG: RefCell<Vec<String>> = RefCell::new(vec![]));
fn t<T: std::fmt::Debug>(x: T) -> T { print!("{x:?} "); x }
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)] struct N(i32);
impl Add for N { type Output = N; fn add(self, o: N) -> N { print!("+ "); N(self.0 + o.0) } }
impl AddAssign for N { fn add_assign(&mut self, o: N) { print!("+= "); self.0 += o.0 } }
impl Neg for N { type Output = N; fn neg(self) -> N { print!("neg "); N(-self.0) } }
impl Index<N> for Vec3 { type Output = i32; fn index(&self, i: N) -> &i32 { print!("idx{} ", i.0); &self.0[i.0 as usize] } }
impl IndexMut<N> for Vec3 { fn index_mut(&mut self, i: N) -> &mut i32 { print!("idxm{} ", i.0); &mut self.0[i.0 as usize] } }
struct Vec3([i32; 3]);
impl Deref for Vec3 { type Target = [i32; 3]; fn deref(&self) -> &[i32; 3] { print!("deref "); &self.0 } }
impl DerefMut for Vec3 { fn deref_mut(&mut self) -> &mut [i32; 3] { print!("derefm "); &mut self.0 } }
struct S { a: i32, b: i32, c: (i32, i32) }
fn f(a: i32, b: i32, c: i32) -> i32 { print!("f "); a + b + c }
fn getf() -> fn(i32, i32, i32) -> i32 { print!("getf "); f }
struct D(&'static str); impl Drop for D { fn drop(&mut self) { print!("~{} ", self.0) } }
impl D { fn m(&self, x: i32) -> &Self { print!("m{x} "); self } fn c(self, x: D) -> D { print!("c "); x } fn k(&mut self, o: i32) -> i32 { o } }
fn main() {
    f(t(1), t(2), t(3)); println!();
    getf()(t(1), t(2), t(3)); println!();
    S { b: t(1), a: t(2), c: (t(3), t(4)) }; println!();
    [t(1), t(2), t(3)]; println!();
    t(1) + t(2) * t(3) - t(4); println!();
    t(N(1)) + t(N(2)) + -t(N(3)); println!();
    let mut n = N(1); n += t(N(2)) + t(N(3)); println!("{n:?}");
    let mut arr = [1, 2, 3]; arr[t(1)] = t(9); println!("{arr:?}");
    arr[t(0)] += t(5); println!("{arr:?}");
    let mut v = Vec3([1, 2, 3]); v[N(t(1))] = t(7); println!();
    v[N(t(1))] += t(7); println!("{:?}", v.0);
    (*v)[t(2)] = t(8); println!(); (*v)[t(2)] += t(8); println!("{:?}", v.0);
    let mut i = 0; let x = { i += 1; i } + { i += 1; i } * { i += 1; i }; println!("{x} {i}");
    let mut i = 1; let y = i + { i = 10; i } + i; println!("{y}");
    let mut s = S { a: 1, b: 2, c: (3, 4) }; s.a += { s.a = 100; 1 }; println!("{}", s.a);
    let mut k = 5; k += { k = 7; 1 }; println!("{k}");
    let mut w = vec![1, 2, 3]; w.push(w.len() as i32); println!("{w:?}");
    let l = w.len(); w[l - 1] = w[0] + w[1]; println!("{w:?}");
    w.extend_from_slice(&[w.len() as i32].map(|x| x + 1)); println!("{w:?}");
    D("a").m(t(1)).m(t(2)); println!();
    D("a").c(D("b")).c(D("c")).m(t(1)); println!();
    let r = t(true) && t(false) || t(true) | t(false) & t(true); println!("{r}");
    let z = t(1)..t(2); println!("{z:?}");
    (t(1), t(2)) == (t(1), t(3)); println!();
    t(1) < t(2); t(N(1)) < t(N(2)); println!();
    match (t(1), t(2)) { (a, b) if t(a) > t(b) => {} (a, 2) if t(a) == 1 => print!("ok"), _ => {} } println!();
    let c = |a: i32, b: i32| { print!("body "); a * b }; c(t(3), t(4)); println!();
    let q = [D("x"), D("y"), D("z")]; let [q1, _, q3] = q; drop(q3); println!("|"); drop(q1); println!();
    let tup = (D("1"), D("2")); let (_, two) = tup; println!("end");
    let mut dd = D("old"); dd = D("new"); println!("assigned");
    let mut o = Some(D("o1")); o = None; println!("none"); o.replace(D("o2")); let _ = o.insert(D("o3")); println!();
    { let _x = D("x"); let _ = D("under"); let _y = D("y"); print!("body "); } println!();
    let bx = Box::new((D("l"), D("r"))); let (l, _) = *bx; println!("moved"); drop(l);
    if let Some(d) = Some(D("iflet")) { print!("in "); } println!();
    while let Some(d) = Some(D("wl")) { print!("in "); break; } println!();
    let x: &D = &D("ext"); let y = D("tmp").m(1).0; println!("{y}");
    let x2 = { let inner = D("inner"); D("res") }; println!();
    for d in [D("f1"), D("f2"), D("f3")] { if d.0 == "f2" { print!("brk "); break; } print!("it "); } println!();
    let g = (|| { let _g = D("g"); return D("ret"); })(); println!();
    std::mem::forget(D("never"));
    let res: Result<D, D> = (|| { let _1 = D("q1"); let e: Result<D, D> = Err(D("err")); let v = e?; print!("no "); Ok(v) })(); println!();
    match res { Ok(_) => {} Err(ref e) => print!("{} ", e.0) } println!();
    let t3 = (D("t1"), D("t2"), D("t3")); let (a, ..) = t3; println!("fin");
}
