// Iteration that may stop: `try_fold`, `try_for_each`, `scan`, `map_while`, `take_while`, sums of `Option` and `Result`.

use std::{num::ParseIntError, ops::ControlFlow};

fn total(texts: &[&str]) -> Result<i32, ParseIntError> {
    texts.iter().map(|text| text.parse::<i32>()).sum()
}

fn main() {
    println!("{:?}", (1..=20i8).try_fold(0i8, |sum, n| sum.checked_add(n)));
    println!("{:?}", (1..=15i8).try_fold(0i8, |sum, n| sum.checked_add(n)));
    let mut numbers = 1..;
    let stopped = numbers.try_for_each(|n| if n * n > 50 { ControlFlow::Break(n) } else { ControlFlow::Continue(()) });
    println!("{stopped:?} {:?}", numbers.next());
    println!("{:?}", total(&["1", "20", "-3"]));
    println!("{:?}", total(&["1", "x", ""]).map_err(|error| error.to_string()));
    println!("{:?}", [Some(2), Some(5)].into_iter().product::<Option<i32>>());
    println!("{:?}", [Some(2), None, Some(5)].into_iter().sum::<Option<i32>>());
    let fibonacci = (0..).scan((0u8, 1u8), |(a, b), _| {
        let next = a.checked_add(*b)?;
        (*a, *b) = (*b, next);
        Some(*a)
    });
    println!("{:?}", fibonacci.collect::<Vec<_>>());
    let mut letters = "ab1c".chars().peekable();
    let taken: String = letters.by_ref().map_while(|c| c.is_alphabetic().then(|| c.to_ascii_uppercase())).collect();
    println!("{taken} {:?}", letters.collect::<String>());
    let mut peeked = [1, 2, 3, 10, 11].iter().peekable();
    while let Some(n) = peeked.next_if(|n| **n < 5) {
        print!("{n} ");
    }
    println!("{:?} {:?}", peeked.next_if_eq(&&10), peeked.peek());
    println!("{:?}", (0..10).rev().step_by(3).skip_while(|n| *n > 6).take_while(|n| *n > 0).collect::<Vec<_>>());
    println!("{:?}", ["a", "b"].iter().rposition(|it| *it == "a"));
    println!("{:?}", (0..5).map(|n| if n < 3 { Ok(n) } else { Err(n) }).collect::<Result<Vec<_>, _>>());
    println!("{:?}", (1..4).flat_map(|n| std::iter::repeat_n(n, n)).reduce(|a, b| a * 10 + b));
    println!("{:?}", (1..=3).try_fold(String::new(), |text, n| (n < 9).then(|| text + &n.to_string())));
}
