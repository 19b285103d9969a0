// Patterns within patterns: bindings with `@`, ranges, slices with rests, references, constants, nested or-patterns.

const LIMIT: u8 = 200;

#[derive(Debug, Clone, PartialEq)]
enum Shape {
    Dot,
    Line { from: (i32, i32), to: (i32, i32) },
    Many(Vec<Shape>),
    Boxed(Box<Shape>),
}

use Shape::*;

fn size(n: u8) -> &'static str {
    match n {
        0 => "none",
        1..=9 => "small",
        10 | 20 | 30 => "round",
        LIMIT.. => "huge",
        _ => "some",
    }
}

fn text(shape: &Shape) -> String {
    match shape {
        Dot => "dot".into(),
        Line { from: (x, y) | (y, x), .. } if x == y => format!("diagonal start {x}"),
        Line { from: from @ (0, _) | from @ (_, 0), to: (x @ 1..=5, ..) } => format!("axis {from:?} to {x}"),
        Line { to, from: (a, ..) } => format!("{a} to {to:?}"),
        Many(all) => match all.as_slice() {
            [] => "nothing".into(),
            [Dot] | [Dot, Dot] => "few dots".into(),
            [first, .., Dot] if *first != Dot => format!("{} .. dot", text(first)),
            [Boxed(inner), rest @ ..] => format!("box of {} and {}", text(inner), rest.len()),
            [_, middle @ .., last] => format!("{} in the middle, {}", middle.len(), text(last)),
            [one] => format!("only {}", text(one)),
        },
        Boxed(inner) => format!("[{}]", text(inner)),
    }
}

fn sum(pair: &mut (Option<u32>, Result<u32, String>)) -> u32 {
    let (Some(n), ok) = (&mut pair.0.map_or(Some(7), Some), &mut pair.1) else { return 0 };
    if let Ok(m) = ok {
        *m += 1;
        return *n + *m;
    }
    *n
}

fn main() {
    println!("{:?}", [0, 5, 20, 99, 200, 255].map(size));
    let line = |a, b, c, d| Line { from: (a, b), to: (c, d) };
    let shapes = [
        Dot,
        line(3, 3, 0, 0),
        line(0, 4, 5, 6),
        line(1, 2, 3, 4),
        Many(vec![]),
        Many(vec![Dot, Dot]),
        Many(vec![line(1, 2, 3, 4), Dot, Dot]),
        Many(vec![Boxed(Box::new(Dot)), Dot, line(0, 1, 9, 9)]),
        Many(vec![Dot, Dot, Dot, Boxed(Box::new(Many(vec![])))]),
        Many(vec![line(2, 0, 1, 1)]),
    ];
    shapes.iter().for_each(|shape| println!("{}", text(shape)));
    let mut pair = (Some(1), Ok(2));
    println!("{} {pair:?}", sum(&mut pair));
    println!("{}", sum(&mut (None, Err("no".into()))));
    let &[ref a, mut b, ..] = &[1, 2, 3];
    b += a;
    println!("{a} {b}");
}
