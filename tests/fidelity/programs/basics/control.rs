fn classify(n: i32) -> &'static str {
    match n {
        i32::MIN..=-1 => "negative",
        0 => "zero",
        1 | 2 | 3 => "small",
        x if x % 2 == 0 => "even",
        _ => "odd",
    }
}

fn find(v: &[i32], want: i32) -> Option<usize> {
    for (i, &x) in v.iter().enumerate() {
        if x == want {
            return Some(i);
        }
    }
    None
}

fn main() {
    for n in [-5, 0, 2, 10, 11] {
        println!("{n} {}", classify(n));
    }
    println!("{:?} {:?}", find(&[4, 5, 6], 6), find(&[], 1));
    let mut n = 27u32;
    let mut steps = 0;
    let r = loop {
        if n == 1 {
            break steps;
        }
        n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
        steps += 1;
    };
    println!("{r}");
    'outer: for i in 0.. {
        for j in 0..i {
            if i * j > 20 {
                println!("{i} {j}");
                break 'outer;
            }
            if j > 3 {
                continue 'outer;
            }
        }
    }
    let v = 'blk: {
        if r > 100 {
            break 'blk "long";
        }
        "short"
    };
    println!("{v}");
    let mut stack = vec![1, 2, 3];
    while let Some(top) = stack.pop() {
        print!("{top},");
    }
    println!();
}
