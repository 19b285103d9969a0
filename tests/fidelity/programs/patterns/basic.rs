#[derive(Debug, Clone)]
enum Expr {
    Num(i64),
    Neg(Box<Expr>),
    Bin { op: char, l: Box<Expr>, r: Box<Expr> },
    Call(&'static str, Vec<Expr>),
}
use Expr::*;

const LIMIT: i32 = 100;
const NAMES: (&str, i32) = ("x", 9);

fn eval(e: &Expr) -> Option<i64> {
    Some(match e {
        Num(n) => *n,
        Neg(e) => -eval(e)?,
        Bin { op: '+', l, r } => eval(l)? + eval(r)?,
        Bin { op: '*', l, r } => eval(l)? * eval(r)?,
        Bin { op: '/', l, r } => eval(l)?.checked_div(eval(r)?)?,
        Bin { .. } => return None,
        Call("max", args) => args.iter().filter_map(eval).max()?,
        Call(_, args) if args.is_empty() => 0,
        Call(.., args) => eval(&args[args.len() - 1])?,
    })
}

fn num(n: i32) -> &'static str {
    match n {
        i32::MIN..0 => "neg",
        0 => "zero",
        n @ (1 | 3 | 5) if n != 3 => "odd one",
        1..=9 => "digit",
        LIMIT => "limit",
        10..LIMIT => "below",
        LIMIT.. => "above",
    }
}

fn slice(v: &[i32]) -> String {
    match v {
        [] => "empty".into(),
        [x] => format!("one {x}"),
        [a, b] if a == b => "pair equal".into(),
        [0, rest @ ..] => format!("zero then {}", rest.len()),
        [first, .., last] if first == last => format!("framed {first}"),
        [.., a @ 7..=9, b] => format!("near end {a} {b}"),
        [a, mid @ .., z] => format!("{a} {mid:?} {z}"),
    }
}

fn chars(c: char) -> u8 {
    match c {
        'a'..='z' | 'A'..='Z' => 1,
        '0'..='9' => 2,
        '\u{80}'.. => 3,
        _ => 0,
    }
}

fn strs(s: &str, p: (&str, i32)) -> i32 {
    match (s, p) {
        ("a" | "b", (_, n)) => n,
        (x, NAMES) if x != "no" => x.len() as i32,
        (_, ("k", -1)) => -100,
        (x, (y, _)) if x == y => 7,
        _ => 0,
    }
}

fn main() {
    let e = Bin { op: '+', l: Box::new(Num(2)), r: Box::new(Neg(Box::new(Call("max", vec![Num(3), Num(9)])))) };
    println!("{:?}", eval(&e));
    println!("{:?}", eval(&Bin { op: '/', l: Box::new(e.clone()), r: Box::new(Num(0)) }));
    println!("{:?} {:?}", eval(&Call("f", vec![])), eval(&Bin { op: '?', l: Box::new(Num(1)), r: Box::new(Num(1)) }));
    for n in [-1, 0, 1, 3, 5, 9, 10, 99, 100, 101] {
        print!("{} ", num(n));
    }
    println!();
    for v in [&[][..], &[1], &[2, 2], &[0, 1, 2], &[4, 5, 4], &[1, 8, 2], &[1, 2, 3, 4]] {
        println!("{}", slice(v));
    }
    println!("{:?}", "aZ5-é".chars().map(chars).collect::<Vec<_>>());
    println!("{} {} {} {}", strs("a", ("", 4)), strs("z", ("k", -1)), strs("q", ("q", 0)), strs("", ("r", 1)) + strs("four", ("x", 9)));
}
