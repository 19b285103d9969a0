#[derive(Debug, Clone, PartialEq)]
enum T {
    N(i64),
    S(String),
    L(Vec<T>),
    P(Box<T>, Box<T>),
    Nil,
}
use T::*;
fn f(t: &T) -> String {
    match t {
        N(0) => "zero".into(),
        N(n @ (1..=9 | -9..=-1)) => format!("small {n}"),
        N(i64::MIN..) => "big".into(),
        S(s) if s.is_empty() => "empty".into(),
        S(s) if let Ok(n) = s.parse::<i32>() => format!("num {n}"),
        S(s) => s.clone(),
        L(v) => match &v[..] {
            [] => "[]".into(),
            [a] => format!("[{}]", f(a)),
            [N(a), N(b), ..] => format!("nn {}", a + b),
            [first, .., last] => format!("{}..{}", f(first), f(last)),
        },
        P(a, b) => match (&**a, &**b) {
            (N(x), N(y)) if x == y => "twin".into(),
            (Nil, o) | (o, Nil) => f(o),
            (x, y) => f(x) + &f(y),
        },
        Nil => "nil".into(),
    }
}
fn sl(v: &[u8]) -> (usize, String) {
    match v {
        [b'a', rest @ ..] => (rest.len(), "a".into()),
        [.., b'z'] => (1, "z".into()),
        [x, y, mid @ .., z] if x < z => (mid.len(), format!("{y}")),
        &[a, b] => (2, format!("{a}{b}")),
        whole @ [_, ..] => (whole.len(), "w".into()),
        [] => (0, "e".into()),
    }
}
fn arr([a, mut b, c @ ..]: [i32; 5]) -> i32 {
    b += 1;
    a + b * c.len() as i32 + c[2]
}
fn chain(o: Option<&str>, k: &[i32]) -> i32 {
    if let Some(s) = o
        && let Ok(n) = s.parse::<usize>()
        && n < k.len()
        && let x @ 5.. = k[n]
    {
        x
    } else if let [a, ..] = k
        && *a > 0
    {
        -1
    } else {
        -2
    }
}
fn lab(n: i32) -> i32 {
    let r = 'a: {
        if n < 0 {
            break 'a -1;
        }
        let q = 'b: {
            if n > 10 {
                break 'a 10;
            }
            if n == 5 {
                break 'b 50;
            }
            n
        };
        q * 2
    };
    r + 1
}
fn loops() -> Vec<(i32, i32)> {
    let mut v = vec![];
    'o: for i in 0.. {
        for j in 0..5 {
            if j > i {
                continue 'o;
            }
            if i * j > 6 {
                break 'o;
            }
            v.push((i, j));
        }
    }
    v
}
fn whl() -> i32 {
    let mut st = vec![1, 2, 3];
    let mut s = 0;
    while let Some(x) = st.pop()
        && x != 1
    {
        s += x;
        if x == 3 {
            st.push(10)
        }
    }
    s
}
fn refs() {
    let mut p = (String::from("a"), (1, vec![2]));
    let (ref mut s, (n, ref v)) = p;
    s.push('b');
    println!("{s} {n} {v:?}");
    let &(ref a, _) = &p;
    println!("{a}");
    let (x, .., z) = (1, 2, 3, 4);
    println!("{x}{z}");
    if let (_, (1, v)) = &mut p {
        v.push(9)
    }
    println!("{p:?}");
}
fn letelse(s: &str) -> Result<(i32, &str), String> {
    let Some((a, b)) = s.split_once(':') else { return Err(format!("bad {s}")) };
    let Ok(n) = a.parse() else { return Err("num".into()) };
    Ok((n, b))
}
const LIM: u32 = 7;
fn konst(x: u32) -> &'static str {
    match x {
        LIM => "lim",
        0..LIM => "below",
        u32::MAX => "max",
        _ => "over",
    }
}
fn chars(c: char) -> u8 {
    match c {
        'a'..='f' | 'A'..='F' => 1,
        '0'..'9' => 2,
        '\u{e9}' => 3,
        _ if c.is_alphabetic() => 4,
        _ => 5,
    }
}
fn strs(s: &str) -> i32 {
    match s {
        "one" => 1,
        "two" | "zwei" => 2,
        s if s.starts_with("th") => 3,
        _ => 0,
    }
}
fn nested(x: Result<Option<(i32, &[&str])>, ()>) -> String {
    match x {
        Ok(Some((n, [a, b]))) => format!("{n}{a}{b}"),
        Ok(Some((n @ 1..=3, _))) => format!("n{n}"),
        Ok(Some(_) | None) => "other".into(),
        Err(()) => "err".into(),
    }
}
fn main() {
    for t in [
        N(0),
        N(-4),
        N(100),
        S("".into()),
        S("12".into()),
        S("x".into()),
        L(vec![]),
        L(vec![Nil]),
        L(vec![N(1), N(2), Nil]),
        L(vec![S("a".into()), Nil, N(3)]),
        P(Box::new(N(1)), Box::new(N(1))),
        P(Box::new(Nil), Box::new(S("q".into()))),
        P(Box::new(N(5)), Box::new(Nil)),
        P(Box::new(N(5)), Box::new(S("r".into()))),
    ] {
        println!("{}", f(&t));
    }
    for v in [&b"abc"[..], b"xyz", b"bcde", b"\x05\x03", b"q", b""] {
        println!("{:?}", sl(v));
    }
    println!(
        "{} {:?}",
        arr([1, 2, 3, 4, 5]),
        [chain(Some("1"), &[1, 7]), chain(Some("0"), &[1]), chain(None, &[0]), chain(Some("x"), &[])]
    );
    println!("{:?} {:?} {}", [-3, 20, 5, 4].map(lab), loops(), whl());
    refs();
    println!("{:?} {:?} {:?}", letelse("3:x"), letelse("z"), letelse("z:"));
    println!(
        "{:?} {:?} {:?}",
        [7, 3, u32::MAX, 9].map(konst),
        ['b', '3', 'é', 'ж', '9'].map(chars),
        ["one", "zwei", "three", ""].map(strs)
    );
    println!(
        "{} {} {} {}",
        nested(Ok(Some((1, &["a", "b"])))),
        nested(Ok(Some((2, &[])))),
        nested(Ok(None)),
        nested(Err(()))
    );
    let b: Box<(i32, String)> = Box::new((1, "s".into()));
    let (n, s) = *b;
    println!("{n}{s}");
    let mut a;
    let c;
    (a, c) = (1, 2);
    [a, _] = [a + c, 0];
    let mut st = (0, 0);
    (st.0, st.1) = (a, c);
    T2 { x: a, .. } = T2 { x: 9, y: 1 };
    println!("{a} {st:?}");
    let x = loop {
        break if a > 3 { 'x' } else { 'y' };
    };
    println!("{x} {}", matches!(S("a".into()), S(ref s) if s == "a"));
    let v: u8 = match (1u8, true) {
        (0, _) | (_, false) => 0,
        (n, true) => n,
    };
    println!("{v}");
    let r @ Some(q) = Some(3) else { unreachable!() };
    println!("{r:?}{q}");
    let o: Option<&mut Vec<i32>> = None;
    if let Some(v) = o {
        v.push(1)
    }
    let mut oo = Some(3);
    while let Some(i) = oo {
        oo = if i > 0 { Some(i - 1) } else { None }
    }
    if let Some(ref mut x) = Some(1) {
        *x += 1;
        println!("{x}")
    }
}
struct T2 {
    x: i32,
    y: i32,
}
