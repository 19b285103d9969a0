// Closures that call themselves through `dyn`, are kept in tables, and return closures.

use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

type Op = Box<dyn Fn(i64, i64) -> Option<i64>>;

fn fix<A: Copy, R>(f: impl Fn(&dyn Fn(A) -> R, A) -> R) -> impl Fn(A) -> R {
    fn apply<A: Copy, R>(f: &dyn Fn(&dyn Fn(A) -> R, A) -> R, a: A) -> R {
        f(&|next| apply(f, next), a)
    }
    move |a| apply(&f, a)
}

fn curried(a: i32) -> impl Fn(i32) -> Box<dyn FnOnce(i32) -> i32> {
    move |b| Box::new(move |c| a * 100 + b * 10 + c)
}

fn main() {
    let factorial = fix(|again: &dyn Fn(u64) -> u64, n| if n < 2 { 1 } else { n * again(n - 1) });
    println!("{} {}", factorial(5), factorial(15));
    let collatz = fix(|again: &dyn Fn(u32) -> u32, n| match n {
        1 => 0,
        n if n % 2 == 0 => 1 + again(n / 2),
        n => 1 + again(3 * n + 1),
    });
    println!("{}", (1..10).map(collatz).map(|n| n.to_string()).collect::<Vec<_>>().join(","));

    let mut ops: BTreeMap<char, Op> = BTreeMap::new();
    ops.insert('+', Box::new(i64::checked_add));
    ops.insert('/', Box::new(|a, b| a.checked_div(b)));
    ops.insert('^', Box::new(|a, b| u32::try_from(b).ok().and_then(|b| a.checked_pow(b))));
    for (name, op) in &ops {
        println!("{name} {:?} {:?} {:?}", op(7, 2), op(i64::MAX, 2), op(3, 0));
    }

    println!("{}", curried(1)(2)(3));
    let log = Rc::new(RefCell::new(Vec::new()));
    let hooks: Vec<Rc<dyn Fn(&str)>> = (0..3)
        .map(|n| {
            let log = Rc::clone(&log);
            Rc::new(move |what: &str| log.borrow_mut().push(format!("{what}{n}"))) as Rc<dyn Fn(&str)>
        })
        .collect();
    hooks.iter().rev().for_each(|hook| hook("x"));
    hooks[1].clone()("again");
    println!("{:?} {}", log.borrow(), Rc::strong_count(&log));
    drop(hooks);
    println!("{}", Rc::strong_count(&log));
}
