// Control flow as values: labelled blocks, nested loops, `?` on both, never type, short circuits, evaluation order.
use std::cell::RefCell;
use std::ops::ControlFlow;
thread_local!(static LOG: RefCell<String> = const { RefCell::new(String::new()) });
fn t<T>(name: &str, x: T) -> T { LOG.with_borrow_mut(|l| { l.push_str(name); l.push(' ') }); x }
fn done(what: &str) { println!("{what}: {}", LOG.with_borrow_mut(std::mem::take)) }
fn search(grid: &[[i32; 3]], want: i32) -> Option<(usize, usize)> { let found = 'outer: { for (r, row) in grid.iter().enumerate() { for (c, x) in row.iter().enumerate() { if *x == want { break 'outer (r, c) } if *x < 0 { return None } } } return Some((99, 99)) }; Some(found) }
fn collatz(mut n: u64) -> (u32, u64) { let (mut steps, mut top) = (0, n); let last = loop { if n == 1 { break top } n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 }; top = top.max(n); steps += 1 }; (steps, last) }
fn classify(n: i32) -> &'static str { if n < 0 { return "neg" } let r = match n { 0 => "zero", x if x % 15 == 0 => "fizzbuzz", x => if x % 3 == 0 { "fizz" } else if x % 5 == 0 { "buzz" } else { return "other" } }; r }
fn flow(v: &[i32]) -> ControlFlow<String, i32> { let mut s = 0; for x in v { if *x == 13 { return ControlFlow::Break(format!("at {s}")) } s += x } ControlFlow::Continue(s) }
fn both(a: &str, b: Option<u8>) -> Option<Result<u32, std::num::ParseIntError>> { let b = b?; Some((|| { let a: u32 = a.parse()?; Ok(a + b as u32) })()) }
fn never(b: bool) -> u8 { let x: u8 = if b { 1 } else { return 2 }; let y = match b { true => x + 1, false => unreachable!() }; y }
#[derive(Debug, Clone, Copy, PartialEq)] enum St { Start, Num(u32), Op(char, u32), Err }
fn machine(s: &str) -> St { let mut st = St::Start; for c in s.chars() { st = match (st, c) { (St::Start, '0'..='9') => St::Num(c as u32 - 48), (St::Num(n), '0'..='9') => St::Num(n * 10 + c as u32 - 48), (St::Num(n), '+' | '*') => St::Op(c, n), (St::Op('+', n), d @ '0'..='9') => St::Num(n + d as u32 - 48), (St::Op('*', n), d) if d.is_ascii_digit() => St::Num(n * (d as u32 - 48)), (s, ' ') => s, _ => { st = St::Err; break } } } st }
fn main() {
    let g = [[1, 2, 3], [4, 5, 6], [7, -8, 9]]; println!("{:?} {:?} {:?} {:?}", search(&g, 5), search(&g, 9), search(&g[..2], 50), search(&g, 1));
    println!("{:?} {:?}", collatz(27), collatz(1)); println!("{:?}", [-1, 0, 15, 9, 10, 7].map(classify)); println!("{:?} {:?}", flow(&[1, 2, 3]), flow(&[5, 13, 1]));
    println!("{:?} {:?} {:?} {} {}", both("5", Some(1)), both("x", Some(1)).map(|r| r.is_err()), both("5", None), never(true), never(false)); println!("{:?}", ["12+3", "4*5+1", "x", "1 2", "1+", "1+x"].map(machine));
    let _ = t("a", false) && t("b", true) || t("c", true) && t("d", false); done("short"); let _ = t("a", 1) + t("b", 2) * t("c", 3); done("arith"); let _ = [t("a", 0), t("b", 1)][t("c", 1)]; done("index");
    let mut v = vec![0; 3]; v[t("i", 1)] = t("v", 5); done("assign index"); v[t("i", 1)] += t("v", 5); done("add assign"); let mut n = 1u8; n += t("r", 2); *t("l", &mut n) += t("r", 1); done("deref add"); let mut x = 1i32; x <<= t("s", 2); println!("{v:?} {n} {x}");
    struct S { a: i32, b: i32 } let s = S { b: t("b", 1), a: t("a", 2) }; done("struct"); let (p, q) = (t("p", s.a), t("q", s.b)); done("tuple"); let _ = t("f", |a: i32, b: i32| a + b)(t("x", p), t("y", q)); done("call"); let _ = t("recv", String::from("ab")).replace(t("one", 'a'), t("two", "z")); done("method");
    let _ = t("lo", 1)..=t("hi", 5); done("range"); match (t("m", 1), t("n", 2)) { (1, y) if t("g1", y == 3) => (), (_, y) if t("g2", y == 2) => done("guards"), _ => () } let _ = t("x", 1) < t("y", 2) && t("p", &1) == t("q", &1); done("compare"); if let Some(x) = t("o", Some(1)) && t("c", x == 1) && let y = t("z", x + 1) && y == 2 { done("chain") }
    let r: Result<u8, String> = (|| { let a = t("a", Ok::<u8, String>(1))?; let b = t("b", Err::<u8, &str>("no"))?; Ok(a + t("c", b)) })(); done("question"); println!("{r:?}"); let mut i = 0; while { i += t("w", 1); i < 3 } { if i == 2 { continue } } done("while"); let z = 'a: loop { let mut k = 0; 'b: loop { k += 1; if k == 2 { continue 'b } if k == 4 { break 'a k * 10 } } }; println!("{z}");
    let f = |x: i32| -> i32 { if x > 2 { return x * 100 } x }; println!("{:?}", [1, 2, 3].map(f)); let u = { let _t = 1; }; println!("{u:?} {:?}", if false { 1 } else { 2 }); println!("{}", { let mut c = 0; for _ in (0..10).rev().step_by(3) { c += 1 } c }); println!("{:?}", (1..4).try_fold(0i8, |a, x| a.checked_add(x * 50))); println!("{:?}", (1..=3).flat_map(|x| (x..=3).map(move |y| (x, y))).find(|(x, y)| x * y == 6));
}
