use std::convert::Infallible;
use std::ops::ControlFlow;

fn diverge(n: i32) -> ! {
    if n > 0 { panic!("diverged {n}") } else { std::process::exit(n) }
}
fn pick(n: i32) -> i32 {
    let x: i32 = match n {
        0 => return -1,
        1 => 10,
        2 => loop {
            break 20;
        },
        _ if n > 100 => diverge(n),
        _ => {
            let y = if n % 2 == 0 { n } else { return n * 2 };
            y + 1
        }
    };
    x + 1
}
fn infallible(r: Result<u8, Infallible>) -> u8 {
    let Ok(v) = r;
    v
}

fn search(grid: &[[i32; 3]]) -> Option<(usize, usize)> {
    let mut tries = 0;
    let found = 'rows: loop {
        for (i, row) in grid.iter().enumerate() {
            'cells: for (j, &c) in row.iter().enumerate() {
                tries += 1;
                match c {
                    0 => continue 'cells,
                    _ => {}
                }
                if c < 0 {
                    break 'cells;
                }
                if c == 9 {
                    break 'rows Some((i, j));
                }
            }
        }
        break None;
    };
    println!("tries {tries}");
    found
}

fn main() {
    for n in 0..6 {
        print!("{} ", pick(n));
    }
    println!("{}", infallible(Ok(3)));
    println!("{:?}", search(&[[1, -1, 9], [2, 3, 4], [5, 9, 9]]));
    println!("{:?}", search(&[[1, 2, 3]]));
    let mut log = vec![];
    'a: for i in 0..4 {
        'b: for j in 0..4 {
            for k in 0..4 {
                if k == 2 {
                    continue 'b;
                }
                if i + j + k > 5 {
                    break 'a;
                }
                if i == j {
                    continue 'a;
                }
                log.push(i * 100 + j * 10 + k);
            }
        }
    }
    println!("{log:?}");
    let x = 5;
    let x = x * 2;
    {
        let x = "inner";
        print!("{x} ");
    }
    let x = format!("{x}!");
    println!("{x}");
    let v = 'block: {
        if x.len() > 10 {
            break 'block 1;
        }
        let n: i32 = match x.trim_end_matches('!').parse() {
            Ok(n) => n,
            Err(_) => break 'block 2,
        };
        n * 3
    };
    println!("{v}");
    let mut i = 0;
    let r = while i < 3 {
        i += 1;
    };
    println!("{r:?} {i}");
    let cf: ControlFlow<i32, ()> = (1..10).try_for_each(|x| if x * x > 20 { ControlFlow::Break(x) } else { ControlFlow::Continue(()) });
    println!("{cf:?} {}", cf.is_break());
    let mut n = 10;
    let sum = loop {
        n -= 1;
        if n % 3 != 0 {
            continue;
        }
        if n == 0 {
            break 0;
        }
        if n < 5 {
            break n + 100;
        }
    };
    println!("{sum}");
    for (i, c) in ('a'..).zip(0..).take(3) {
        print!("{i}{c}");
    }
    println!();
    let r = std::panic::catch_unwind(|| pick(101));
    println!("{}", r.is_err());
    let unit = { let _ = 1; };
    println!("{unit:?}");
    if n > 100 {
        diverge(1);
    }
    diverge(-i);
}
