// Binding modes, slices, ranges, constants as patterns, destructuring assignments.
#[derive(Debug, Clone, PartialEq)] enum E { A(i32, String), B { x: Option<Box<E>>, y: [u8; 3] }, C }
use E::*;
fn f(e: &E) -> String { match e { A(0, _) => "zero".into(), A(n @ 1..=9, s) if s.len() > 2 => format!("{n}{s}"), A(n, s) => format!("or {n} {s}"), B { x: None, y: [a, .., b] } => format!("{a}{b}"), B { y: [_, rest @ ..], .. } => format!("{rest:?}"), C => "c".into() } }
fn g(e: &mut E) { match e { A(n, s) => { *n += 1; s.push('!'); } B { x: Some(b), y } => { g(b); y[0] ^= 1; } B { x: x @ None, .. } => *x = Some(Box::new(C)), C => *e = A(7, "new".into()) } }
fn slice(s: &[i32]) -> String { match s { [] => "e".into(), [x] => format!("1:{x}"), [x, y] if x == y => "eq".into(), [first, .., last] if first == last => format!("ends {first}"), [.., a @ (5 | 6), _] => format!("pen {a}"), [1, mid @ .., 9] => format!("mid {mid:?}"), [a, rest @ ..] => format!("{a}+{}", rest.len()) } }
fn chars(c: char) -> u8 { match c { 'a'..='f' | 'A'..='F' => 1, '0'..'5' => 2, '5'.. if c.is_ascii_digit() => 3, ..' ' => 4, '\u{e9}' => 5, _ => 6 } }
fn ints(x: i64) -> &'static str { match x { i64::MIN => "min", ..-10 => "low", -10..=-1 => "neg", 0 => "zero", 1..10 => "digit", 10 | 20 | 30 => "tens", i64::MAX => "max", _ => "big" } }
fn floats(x: f64) -> u8 { match x { 0.0 => 0, 1.0..=2.0 => 1, f64::INFINITY => 2, ..0.0 => 3, _ => 4 } }
const K: (u8, &str) = (3, "k"); const S: &[u8] = b"xyz"; const EC: E = E::C; #[derive(PartialEq, Eq)] struct P(u8, u8); const PC: P = P(1, 2);
fn consts(t: (u8, &str)) -> u8 { match t { K => 1, (0..=5, "k" | "l") => 2, (_, "") => 3, _ => 4 } }
fn main() {
    for e in [A(0, "x".into()), A(5, "abc".into()), A(5, "ab".into()), B { x: None, y: [1, 2, 3] }, B { x: Some(Box::new(C)), y: [4, 5, 6] }, C] { println!("{}", f(&e)); let mut m = e.clone(); g(&mut m); g(&mut m); println!("{m:?}"); }
    for s in [&[][..], &[1], &[2, 2], &[3, 1, 3], &[1, 5, 2], &[1, 2, 3, 9], &[4, 4, 4, 4, 5]] { println!("{}", slice(s)); }
    println!("{:?}", ['a', 'F', '3', '7', '\n', 'é', 'z', '日'].map(chars)); println!("{:?}", [i64::MIN, -11, -10, 0, 9, 10, 20, 30, i64::MAX, 11].map(ints)); println!("{:?}", [0.0, -0.0, 1.5, f64::INFINITY, -1.0, f64::NAN, 3.0].map(floats)); println!("{:?}", [(3, "k"), (4, "k"), (9, ""), (9, "z")].map(consts));
    let t = &(1, &(2, &mut 3), [Some("a"), None]); let (a, (b, c), [Some(s), n]) = t else { unreachable!() }; println!("{a} {b} {c} {s} {n:?}"); let &(x, &(y, ref z), _) = t; println!("{x} {y} {z}");
    let mut v = vec![(1, Some(String::from("a"))), (2, None)]; for (n, s) in &mut v { *n *= 10; if let Some(s) = s { s.push('z'); } else { *s = Some("new".into()); } } println!("{v:?}"); for (i, &(n, ref s)) in v.iter().enumerate() { println!("{i} {n} {}", s.as_deref().unwrap_or("")); }
    let Some((first, [a, b @ ..])) = Some((1, [2, 3, 4])) else { panic!() }; println!("{first} {a} {b:?}"); let (mut p, ref q) = (5, String::from("q")); p += q.len(); println!("{p}"); let [x, y] = [&mut [1, 2][..], &mut [3]]; std::mem::swap(&mut x[0], &mut y[0]); println!("{x:?} {y:?}");
    match P(1, 2) { PC => println!("PC"), P(..) => println!("no") } match b"xyz" as &[u8] { S => println!("S"), _ => println!("no") } match &C { e if *e == EC => println!("EC"), _ => () }
    let n @ (1 | 2 | 3) = 2 else { return }; println!("{n}"); let w @ Some(_) = Some(&n) else { return }; println!("{w:?}"); let ref r @ (ref l, _) = ("l".to_string(), 1); println!("{r:?} {l}"); match (1, 2) { (a, b) | (b, a) if a > b => println!("{a} {b}"), _ => println!("none") } match (Some(1), Some(5)) { (Some(a), _) | (_, Some(a)) if a > 3 => println!("guard retried {a}"), _ => println!("no") }
    let b: Box<(String, Option<Box<u8>>)> = Box::new(("box".into(), Some(Box::new(4)))); let (s, Some(k)) = *b else { panic!() }; println!("{s} {}", *k); let o: Option<&Option<&i32>> = Some(&Some(&9)); if let Some(Some(9)) = o { println!("deep") } if let Some(&Some(&n)) = o { println!("{n}") } (_, v[0].0) = (0, 99); [p, ..] = [3, 4]; println!("{} {p}", v[0].0);
    let mut arr = [0; 3]; (arr[0], _, arr[2]) = (1, 2, 3); let (mut i, mut j) = (1, 2); (i, j) = (j, i + j); struct Q { a: i32, b: i32 } Q { a: i, b: j } = Q { a: j, b: i }; println!("{arr:?} {i} {j}"); let s: &str = match "str".to_string().as_str() { "str" => "matched", _ => "no" }; println!("{s}"); while let [first, rest @ ..] = &v[..] { println!("{first:?}"); v = rest.to_vec(); }
}
