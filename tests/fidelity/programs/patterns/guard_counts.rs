//! How often a guard runs that does not hold: once for each combination of alternatives that matches, bound or not.

macro_rules! count {
    ($value:expr, $($pattern:tt)+) => {{
        let mut runs = 0;
        match $value {
            $($pattern)+ if { runs += 1; false } => {}
            _ => {}
        }
        println!("{} {runs}", stringify!($($pattern)+));
    }};
}

#[derive(Clone, Copy)]
enum Either {
    Left(u8),
    Right(u8),
}

/// The guard holds at its `nth` run: with which alternatives.
fn holds_at(nth: u32) -> Option<(u8, u8)> {
    let mut runs = 0;
    match ((1, 2), (3, 4), 5) {
        ((a, _) | (_, a), (b, _) | (_, b), 5 | _)
            if {
                runs += 1;
                runs == nth
            } =>
        {
            Some((a, b))
        }
        _ => None,
    }
}

#[allow(unused, unreachable_patterns)]
fn main() {
    count!(1, 1 | 1);
    count!(1, _ | 1 | 2);
    count!((1, 1), (_x, 1 | 1));
    count!((1, 1), (_x, _ | _));
    count!((1, 1), (_ | _, 1 | _));
    count!((1, 1), (1 | _, _x | _x));
    count!((1, 1), (_x | _x, 2 | _));
    count!((1, 1, 1), (_x | _x, 1 | _, _y | _y));
    count!((1, 1, 1), (_x | _x, _y | _y, 1 | _ | 1));
    count!((1, 1), (1, 1 | _) | (_, 1 | _));
    count!(Some(1), None | Some(1 | 1) | Some(_));
    count!(Some((1, 2)), Some((_x | _x, 2 | _)));
    count!((Either::Left(1), 2), (Either::Left(_x) | Either::Right(_x), _ | _));
    count!((Either::Right(1), 2), (Either::Left(_) | Either::Right(_ | 1), _ | 3));
    count!([1, 2, 3], [1 | _, .., _x @ (3 | _)]);
    count!(&(1, 1), (1 | _, _x));
    for nth in 1..=9 {
        println!("{:?}", holds_at(nth));
    }
}
