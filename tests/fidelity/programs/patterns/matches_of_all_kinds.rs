// Ranges, bindings, slices, guards, constants and let chains in patterns.
#[derive(Debug, Clone, PartialEq)]
enum E {
    A(i32, Option<Box<E>>),
    B { x: u8, y: [u8; 3] },
    C(String),
    D,
}
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct P {
    x: i64,
    y: i64,
}
const LO: i32 = -5;
const ORIGIN: P = P { x: 0, y: 0 };
const STRS: &str = "hey";
const OPT: Option<&[u8]> = Some(b"ab");
fn ints(n: i128) -> &'static str {
    match n {
        i128::MIN..=-1 => "neg",
        0 => "zero",
        1 | 2 | 3 => "small",
        4..10 => "mid",
        0xffff_ffff_ffff_ffff_ffff..=i128::MAX => "huge",
        _ => "big",
    }
}
fn chars(c: char) -> u8 {
    match c {
        'a'..='z' => 1,
        'A'..='Z' | '_' => 2,
        '\u{80}'.. => 3,
        ..'0' => 4,
        _ => 5,
    }
}
fn e(e: &E) -> String {
    match e {
        E::A(n @ (0 | 7..=9), None) => format!("A0 {n}"),
        E::A(n, Some(b)) if *n > 5 => format!("A>{n} [{}]", self::e(b)),
        E::A(LO, _) => "lo".into(),
        E::A(n, b @ Some(_)) | E::A(n, b @ None) => format!("A {n} {}", b.is_some()),
        E::B { x: 1..=3, y: [a, .., c] } => format!("B {a} {c}"),
        E::B { x, y: y @ [1, rest @ ..] } => format!("B1 {x} {y:?} {rest:?}"),
        E::B { y, .. } => format!("By {y:?}"),
        E::C(s)
            if s.starts_with('z')
                && let Some(c) = s.chars().nth(1) =>
        {
            format!("z{c}")
        }
        E::C(s) => match s.as_str() {
            STRS => "const".into(),
            "" => "empty".into(),
            o => o.to_uppercase(),
        },
        E::D => "D".into(),
    }
}
fn sl(v: &[i32]) -> String {
    match v {
        [] => "0".into(),
        [x] => format!("1 {x}"),
        [a, b] if a == b => "eq".into(),
        [first, mid @ .., last] if first == last => format!("pal {}", mid.len()),
        [1, .., 9] => "1..9".into(),
        [.., 8, _] => "8_".into(),
        [a, b, rest @ ..] => format!("{a} {b} {rest:?}"),
    }
}
fn mutate(v: &mut [String]) {
    if let [a, .., b] = v {
        std::mem::swap(a, b);
        a.push('!');
    }
    if let [_, ref mut m @ .., _] = *v {
        m.reverse();
    }
    match v {
        [x, ..] if { x.len() > 3 } => x.clear(),
        _ => {}
    }
}
fn refs(t: &(Option<&mut i32>, &&str)) -> i32 {
    match t {
        (Some(x), s) if s.len() > 1 => **x,
        (None, s) if **s == "q" => -1,
        _ => 0,
    }
}
fn bind() {
    let x @ (a, ref b) = (1, 2);
    println!("{x:?} {a} {b}");
    let P { x: px, ref y } = P { x: 3, y: 4 };
    println!("{px} {y}");
}
fn tup(t: (u8, bool, &str)) -> u32 {
    match t {
        (0, ..) => 0,
        (.., "end") => 1,
        (n, true, _) if n % 2 == 0 => 2,
        (1 | 3 | 5, b, s) if b || s.is_empty() => 3,
        (_, false, "a" | "b") => 4,
        _ => 5,
    }
}
struct Mv(Vec<u8>, String);
fn moves(m: Mv, k: bool) -> (usize, String) {
    match m {
        Mv(v, _) if v.is_empty() && k => (0, "e".into()),
        Mv(ref v, ref s) if v.len() > 2 => (v.len(), s.clone()),
        Mv(v, mut s) => {
            s.push_str("m");
            (v.len(), s)
        }
    }
}
static mut CNT: u32 = 0;
fn side(b: bool) -> bool {
    unsafe {
        CNT += 1;
    }
    b
}
fn guards(n: Option<u32>) -> u32 {
    match n {
        Some(1) | Some(2) if side(false) => 1,
        Some(2 | 3) if side(true) => 2,
        Some(x) if side(x > 5) => 3,
        None | Some(_) => 4,
    }
}
fn floats(f: f64) -> &'static str {
    match f {
        f64::NEG_INFINITY..0.0 => "neg",
        0.0 => "zero",
        0.0..=1.0 => "unit",
        x if x.is_nan() => "nan",
        _ => "big",
    }
}
fn cst(p: P, o: Option<&[u8]>) -> u8 {
    match (p, o) {
        (ORIGIN, OPT) => 1,
        (P { x: 0, .. }, Some([b'a', ..])) => 2,
        (P { y: 1.., .. }, None | Some(b"")) => 3,
        (_, Some(b"xyz")) => 4,
        _ => 5,
    }
}
fn main() {
    println!("{:?}", [-3, 0, 2, 9, 10, i128::MAX, 1 << 80].map(ints));
    println!("{:?}", ['q', 'Q', '_', 'é', '!', '7'].map(chars));
    for x in [
        E::A(0, None),
        E::A(8, None),
        E::A(6, Some(Box::new(E::A(-5, None)))),
        E::A(3, Some(Box::new(E::D))),
        E::A(1, None),
        E::B { x: 2, y: [4, 5, 6] },
        E::B { x: 9, y: [1, 2, 3] },
        E::B { x: 9, y: [2, 2, 3] },
        E::C("zw".into()),
        E::C("z".into()),
        E::C("hey".into()),
        E::C(String::new()),
        E::D,
    ] {
        print!("{} | ", e(&x));
    }
    println!();
    for v in [&[][..], &[5], &[4, 4], &[3, 1, 2, 3], &[1, 2, 9], &[2, 8, 3], &[2, 3, 4, 5]] {
        print!("{} | ", sl(v));
    }
    println!();
    let mut v = ["ab", "c", "d", "xyz"].map(String::from);
    mutate(&mut v);
    println!("{v:?}");
    let mut k = 5;
    println!("{} {} {}", refs(&(Some(&mut k), &"qq")), refs(&(None, &"q")), refs(&(None, &"r")));
    bind();
    println!(
        "{:?}",
        [(0, true, "end"), (2, false, "end"), (4, true, ""), (3, false, ""), (5, false, "b"), (7, true, "z")].map(tup)
    );
    println!(
        "{:?} {:?} {:?}",
        moves(Mv(vec![], "s".into()), true),
        moves(Mv(vec![1, 2, 3], "t".into()), false),
        moves(Mv(vec![1], "u".into()), true)
    );
    println!("{:?}", [None, Some(1), Some(2), Some(3), Some(9)].map(guards));
    println!("{}", unsafe { CNT });
    println!("{:?}", [-1.0, -0.0, 0.5, f64::NAN, 3.0].map(floats));
    println!(
        "{} {} {} {} {}",
        cst(ORIGIN, Some(b"ab")),
        cst(ORIGIN, Some(b"ac")),
        cst(P { x: 1, y: 2 }, Some(&[])),
        cst(P { x: 1, y: 0 }, Some(b"xyz")),
        cst(P { x: 1, y: -2 }, None)
    );
    let mut st = vec![1, 2, 3, 4];
    while let [h, t @ ..] = &st[..]
        && *h < 3
    {
        println!("{h} {}", t.len());
        st.remove(0);
    }
    let [.., x, _] = [1, 2, 3];
    let (mut a, mut b) = (1, 2);
    (a, b) = (b, a + b);
    [a, .., b] = [b, 0, a];
    P { x: _, .. } = ORIGIN;
    println!("{x} {a} {b}");
    let (c, d, f);
    ((c, d), [f, ..]) = ((1, "k"), [9, 8]);
    println!("{c}{d}{f}");
    let r = &Some((1, String::from("s")));
    if let Some((n, s)) = r {
        let _: (&i32, &String) = (n, s);
        println!("{n}{s}");
    }
    let Some(&(n, ref s)) = r.as_ref() else { panic!() };
    println!("{}", n + s.len() as i32);
    println!("{}", matches!(r, Some((1.., s)) if s == "s"));
    for (i, &(ref a, b)) in [("x".to_string(), 1), ("y".into(), 2)].iter().enumerate() {
        print!("{i}{a}{b} ");
    }
    println!();
    let f = |&(a, _): &(i32, u8), [x, y]: [i32; 2], P { x: q, .. }: P| a + x * y + q as i32;
    println!("{}", f(&(1, 2), [3, 4], P { x: 5, y: 6 }));
}
