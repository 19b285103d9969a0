#![allow(unused)]
struct D(&'static str); impl Drop for D { fn drop(&mut self) { println!("drop {}", self.0) } }
struct P { a: D, b: D, n: i32, t: (D, i32) }
fn mk() -> P { P { a: D("a"), b: D("b"), n: 1, t: (D("t"), 2) } }
fn size<T>(_: &T) -> usize { std::mem::size_of::<T>() }
fn main() {
    let p = mk(); { let c = move || { let _x = &p.a; }; println!("size {}", size(&c)); } println!("1--");
    let p = mk(); { let c = || { let _x = p.a; }; println!("size {}", size(&c)); c(); println!("called"); } println!("2--");
    let p = mk(); { let c = || { let _ = p.a; }; println!("size {}", size(&c)); } println!("3--");
    let p = mk(); { let c = || { let P { a, .. } = p; }; println!("size {}", size(&c)); c(); } println!("4--");
    let p = mk(); { let c = move || { println!("{} {}", p.n, p.t.1); }; println!("size {}", size(&c)); } println!("5--");
    let mut p = mk(); { let mut c = || { p.n += 1; p.t.1 += 1; }; println!("size {}", size(&c)); c(); c(); println!("{}", p.a.0); } println!("{} {} 6--", p.n, p.t.1);
    let p = Box::new(mk()); { let c = move || { let _y = &p.b; }; println!("size {}", size(&c)); } println!("7--");
    let p = &mk(); { let c = move || { let _y = &p.b; }; println!("size {}", size(&c)); } println!("8--");
    let p = mk(); { let c = move || { match p { P { n: 1, .. } => println!("one"), _ => {} } }; println!("size {}", size(&c)); } println!("9--");
    let o = Some(D("o")); { let c = || if let Some(d) = &o { println!("{}", d.0) }; println!("size {}", size(&c)); c(); } println!("10--");
    let o = Some(D("o")); { let c = move || if let Some(d) = o { println!("{}", d.0) }; println!("size {}", size(&c)); c(); } println!("11--");
    let t = ((D("x"), D("y")), D("z")); { let c = || { let _a = t.0.1; }; c(); println!("called"); } println!("12--");
    let mut arr = [1, 2, 3]; { let mut c = || arr[1] = 9; println!("size {}", size(&c)); c(); } println!("{arr:?}");
    let s = String::from("s"); let r = &s; let c = || r.len(); println!("size {} {}", size(&c), c());
    let tup = (String::from("a"), 5); let c = || { let (ref x, y) = tup; x.len() + y }; println!("size {} {}", size(&c), c());
    let n = 5; let f = move || { let g = move || n * 2; g() }; println!("{} {}", size(&f), f());
    let mut cnt = 0; let mut inc = || { let mut inner = || cnt += 1; inner(); inner(); }; inc(); inc(); println!("{cnt}");
    let x = D("async"); let fut = async move { let _k = &x; }; println!("fut"); drop(fut); println!("13--");
    let u = mk(); let c = || { let _z = (&u.a, &u.t.0); }; println!("size {}", size(&c)); c(); drop(u.b); println!("end");
}
