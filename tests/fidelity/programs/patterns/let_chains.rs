#[derive(Debug)]
enum Tok {
    Num(f64),
    Op(char),
    End,
}

fn classify(s: &str) -> Tok {
    if let Some(c) = s.chars().next()
        && "+-*/".contains(c)
        && s.len() == 1
    {
        Tok::Op(c)
    } else if let Ok(n) = s.parse::<f64>()
        && n.is_finite()
    {
        Tok::Num(n)
    } else {
        Tok::End
    }
}

fn first_even_pair(v: &[i32]) -> Option<(usize, i32)> {
    let mut i = 0;
    while i + 1 < v.len()
        && let [a, b, ..] = v[i..]
    {
        if a % 2 == 0 && b % 2 == 0 && let s = a + b && s > 10 {
            return Some((i, s));
        }
        i += 1;
    }
    None
}

fn lookup(m: &[(&str, Option<&str>)], key: &str) -> String {
    if let Some((_, v)) = m.iter().find(|(k, _)| *k == key)
        && let Some(v) = v
        && let Ok(n) = v.parse::<u8>()
    {
        format!("number {n}")
    } else if m.iter().any(|(k, v)| *k == key && v.is_none()) {
        "empty".to_owned()
    } else {
        "no".to_owned()
    }
}

fn scan(mut s: &str) -> Vec<u32> {
    let mut out = vec![];
    while let Some((head, tail)) = s.split_once(';')
        && let Ok(n) = head.trim().parse()
    {
        out.push(n);
        s = tail;
    }
    out
}

fn main() {
    for s in ["+", "+-", "1.5", "inf", "", "x"] {
        println!("{:?}", classify(s));
    }
    println!("{:?} {:?}", first_even_pair(&[1, 2, 4, 8, 10]), first_even_pair(&[2]));
    let m = [("a", Some("7")), ("b", None), ("c", Some("300"))];
    for k in ["a", "b", "c", "d"] {
        println!("{}", lookup(&m, k));
    }
    println!("{:?}", scan("1; 2;3;x;4;"));
    let v: Vec<_> = (0..5).filter(|&x| if let 1 | 3 = x && x != 3 { true } else { x == 4 }).collect();
    println!("{v:?}");
}
