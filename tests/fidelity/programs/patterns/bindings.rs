#[derive(Debug)]
struct P {
    x: i32,
    y: (i32, [u8; 3]),
    name: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Op {
    Push(i32),
    Add,
    Jmp { to: usize, cond: bool },
}

fn sum_all((a, (b, c)): (i32, (i32, i32)), P { x, y: (d, [e, ..]), .. }: &P, [f, g]: [i32; 2]) -> i32 {
    a + b + c + x + d + *e as i32 + f + g
}

fn main() {
    let mut p = P { x: 1, y: (2, [3, 4, 5]), name: Some("n".to_string()) };
    println!("{}", sum_all((1, (2, 3)), &p, [10, 20]));
    let P { x: ref mut px, y: (_, [.., ref last]), .. } = p;
    *px += *last as i32;
    println!("{:?}", p.x);
    if let P { name: Some(n), .. } = &mut p {
        n.push('!');
    }
    match p.name {
        Some(ref s) if s.len() > 5 => println!("long"),
        Some(ref s) => println!("short {s}"),
        None => println!("none"),
    }
    let whole @ (a, ref b) = (1, "two");
    println!("{whole:?} {a} {b}");
    let v = vec![(1, 'a'), (2, 'b')];
    for (i, &(n, c)) in v.iter().enumerate() {
        println!("{i} {n} {c}");
    }
    let ops = [Op::Push(5), Op::Push(-7), Op::Add, Op::Jmp { to: 3, cond: true }];
    for op in ops {
        let s = match op {
            Op::Push(n @ 0..) => format!("push {n}"),
            Op::Push(n) => format!("push negative {n}"),
            o @ Op::Add => format!("{o:?}"),
            Op::Jmp { to: t @ (1 | 3), cond } => format!("jump {t} {cond}"),
            Op::Jmp { .. } => "far".to_string(),
        };
        println!("{s}");
    }
    let nested = Some(Ok::<_, String>([Some(1), None]));
    if let Some(Ok([Some(n), None] | [None, Some(n)])) = nested {
        println!("n {n}");
    }
    let bx = Box::new((1, Some(2)));
    match *bx {
        (x, Some(y)) => println!("{}", x + y),
        _ => {}
    }
    let r = &Some(&(1, "s"));
    if let &Some(&(n, s)) = r {
        println!("{n} {s}");
    }
    let (mut i, mut j) = (0, 10);
    (i, j) = (j, i);
    [i, .., j] = [i + 1, 0, 0, j + 1];
    P { x: i, .. } = P { x: i * 2, y: (0, [0; 3]), name: None };
    (i, _) = (i + 1, 5);
    println!("{i} {j}");
    println!("{} {}", matches!(ops[0], Op::Push(n) if n > 3), matches!('c', 'a'..='b' | 'd'));
    let [x, y @ .., z] = [1, 2, 3, 4];
    println!("{x} {y:?} {z}");
    let Some((k, val)) = "k=v".split_once('=') else { unreachable!() };
    println!("{k} {val}");
    let t: (i32, u8, &str, f64) = (1, 2, "three", 4.0);
    let (first, .., fourth) = t;
    println!("{first} {fourth}");
    let f = |(a, b): (i32, i32), &c: &i32| a * b + c;
    println!("{}", f((2, 3), &4));
    let opt_ref: Option<&mut i32> = Some(&mut i);
    if let Some(v) = opt_ref {
        *v = 42;
    }
    println!("{i}");
    let b @ Some(_) = Some(3) else { return };
    println!("{b:?} {}", if let 1..=5 | 7 = 7 { "in" } else { "out" });
}
