// Slice patterns, ranges, bindings, nested enums, boxes, references, constants, `let else`, `matches!`.
#[derive(Debug, Clone, PartialEq)]
enum Expr { Num(i64), Neg(Box<Expr>), Bin { op: char, lhs: Box<Expr>, rhs: Box<Expr> }, List(Vec<Expr>) }
use Expr::*;
const LIMIT: i64 = 100;
const ORIGIN: (i32, i32) = (0, 0);
fn eval(e: &Expr) -> Result<i64, String> {
    Ok(match e {
        Num(n @ (0 | 1)) => *n,
        Num(LIMIT) => return Err("limit".into()),
        Num(n @ ..=-1) => -n * 10,
        Num(n) if *n % 2 == 0 => n / 2,
        &Num(n) => n,
        Neg(inner) if matches!(**inner, Neg(_)) => 1000 + eval(inner)?,
        Neg(inner) => -eval(inner)?,
        Bin { op: '+' | '-', lhs, rhs: r } if lhs == r => 0,
        Bin { op: op @ ('+' | '-'), lhs, rhs } => { let (a, b) = (eval(lhs)?, eval(rhs)?); if *op == '+' { a + b } else { a - b } }
        Bin { op, .. } => return Err(format!("op {op}")),
        List(items) => match items.as_slice() { [] => -1, [one] => eval(one)?, [first, .., last] if first == last => 7, [Num(a), rest @ ..] => a * rest.len() as i64, [_, middle @ .., _] => middle.len() as i64 },
    })
}
fn slice(s: &[u8]) -> String {
    match s {
        [] => "empty".into(),
        [b'a'..=b'c', tail @ ..] if !tail.is_empty() => format!("abc+{}", slice(tail)),
        [x, y] | [x, _, y] => format!("{x}-{y}"),
        [.., z @ (b'x' | b'z')] => format!("ends {z}"),
        [first, second, others @ .., last] => format!("{first} {second} {} {last}", others.len()),
        [only] => format!("one {only}"),
    }
}
fn text(s: &str) -> i32 { match s { "" => 0, "one" | "two" => 1, x if x.starts_with("th") => 3, _ => -1 } }
fn point(p: (i32, i32)) -> &'static str { match p { ORIGIN => "origin", (0, _) | (_, 0) => "axis", (x, y) if x == y => "diagonal", (i32::MIN..0, _) => "left", _ => "right" } }
fn parse(s: &str) -> Result<(String, u8), String> {
    let Some((name, rest)) = s.split_once('=') else { return Err(format!("no = in {s}")) };
    let Ok(value @ 1..=200) = rest.parse::<u8>() else { return Err(format!("bad {rest}")) };
    let [first, .., _] = name.as_bytes() else { return Err("short".into()) };
    Ok((format!("{}{name}", *first as char), value))
}
struct Deep { a: Option<Result<(i32, [u8; 3]), String>>, b: &'static [Option<char>] }
fn deep(d: &Deep) -> String {
    match d {
        Deep { a: Some(Ok((n, [x, .., z]))), b: [Some(c), ..] } if x < z => format!("{n}{x}{z}{c}"),
        Deep { a: Some(Ok((1 | 2, _))), .. } => "small".into(),
        Deep { a: Some(Err(e)), b } => format!("{e}{}", b.len()),
        Deep { a: None, b: [None, None | Some('q'), rest @ ..] } => format!("{rest:?}"),
        _ => "other".into(),
    }
}
fn main() {
    let bin = |op, a, b| Bin { op, lhs: Box::new(a), rhs: Box::new(b) };
    for e in [Num(1), Num(100), Num(-4), Num(8), Num(9), Neg(Box::new(Neg(Box::new(Num(3))))), bin('+', Num(3), Num(3)), bin('-', Num(5), Num(3)), bin('*', Num(1), Num(1)), List(vec![]), List(vec![Num(5)]), List(vec![Num(2), Num(1), Num(2)]), List(vec![Num(2), Num(1)]), List(vec![Neg(Box::new(Num(0))), Num(1), Num(3), Num(4)])] { println!("{:?}", eval(&e)); }
    for s in [&b""[..], b"q", b"a", b"ab", b"abz", b"qr", b"q.r", b"qwez", b"qwert", b"12345"] { println!("{}", slice(s)); }
    println!("{:?}", ["", "two", "three", "x"].map(text));
    println!("{:?}", [(0, 0), (0, 4), (2, 2), (-1, 5), (1, 2)].map(point));
    for s in ["ab=5", "ab", "a=5", "ab=0", "ab=300"] { println!("{:?}", parse(s)); }
    for d in [Deep { a: Some(Ok((5, [1, 2, 3]))), b: &[Some('c')] }, Deep { a: Some(Ok((2, [3, 2, 1]))), b: &[] }, Deep { a: Some(Err("e".into())), b: &[None] }, Deep { a: None, b: &[None, Some('q'), Some('r')] }, Deep { a: None, b: &[] }] { println!("{}", deep(&d)); }
    let mut pair = (String::from("a"), vec![1, 2, 3]);
    let (ref mut name, ref list) = pair;
    name.push('b');
    println!("{name} {}", list.len());
    let (name, [a, b, ..]) = (pair.0, &pair.1[..]) else { unreachable!() };
    println!("{name} {a} {b}");
    let mut opt = Some(3);
    while let Some(n) = opt { opt = if n == 0 { None } else { print!("{n} "); Some(n - 1) }; }
    if let Some(ref mut x) = opt { *x += 1 } else if let (1.., y) = (5, 6) { println!("{y}") }
    let &(ref r, mut m) = &(vec![1], 2); m += 1; println!("{r:?} {m}");
    let x = 5u8; println!("{}", match x { 0..5 => 'a', 5..=9 => 'b', 10.. => 'c' });
    println!("{}", match 'ß' { 'a'..='z' => 1, '\u{80}'..='\u{ff}' => 2, _ => 3 });
    let v @ [p, .., q] = [1, 2, 3, 4]; println!("{v:?} {p} {q}");
    println!("{}", match (Some(1), None::<i32>) { (Some(a), Some(b)) => a + b, (Some(a), None) | (None, Some(a)) => a * 10, (None, None) => 0 });
    println!("{:?}", [Some(1), None, Some(3)].iter().filter(|x| matches!(x, Some(n) if *n > 1)).count());
    println!("{}", match 2.5f64 { 0.0..=1.0 => "low", f64::INFINITY => "inf", _ => "mid" });
    println!("{}", match &Some(String::from("hi")) { Some(s) if s.len() > 5 => 1, Some(s) => s.len() as i32 * 100, None => 0 });
}
