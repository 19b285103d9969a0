//! Negative floating-point numbers in patterns: as literals, as either end of ranges, and through macros.

fn literal(x: f32) -> u8 {
    match x {
        -1.5f32 => 1,
        1.5 => 2,
        -0.0 => 3,
        -2e3 => 4,
        _ => 0,
    }
}

fn ends(x: f64) -> &'static str {
    match x {
        ..=-100.0 => "far below",
        -99.5..-10.0 => "below",
        -10.0..=-1.0 => "just below",
        -1.0..0.0 => "negative",
        0.0..=1.0 => "small",
        1_000.0.. => "large",
        f64::NEG_INFINITY..=f64::INFINITY => "between",
        _ => "no number",
    }
}

fn crossing(x: f64) -> bool {
    matches!(x, -2.5..=2.5)
}

fn open(x: f64) -> (bool, bool, bool) {
    let up_to = match x {
        ..=-3.0 => true,
        _ => false,
    };
    (matches!(x, -3.0..), matches!(x, ..-3.0), up_to)
}

fn inside(pair: (f32, Option<f64>)) -> u8 {
    match pair {
        (-1.0..=-0.5, Some(-7.25)) => 1,
        (-1.0 | -2.0, None) => 2,
        (x @ -9.0..-8.0, _) if x < -8.5 => 3,
        (_, Some(-1.0..)) => 4,
        _ => 0,
    }
}

macro_rules! is {
    ($value:expr, $pattern:pat) => {
        match $value {
            $pattern => true,
            _ => false,
        }
    };
}

fn named(x: f64) -> bool {
    const LOW: f64 = -4.5;
    match x {
        LOW..=-4.0 => true,
        -3.5..=LOWER => true,
        _ => false,
    }
}

const LOWER: f64 = -3.25;

fn main() {
    println!("{:?}", [-1.5, 1.5, 0.0, -0.0, -2000.0, 2000.0, f32::NAN].map(literal));
    println!("{:?}", [-1e9, -100.0, -99.75, -50.0, -10.0, -1.0, -0.25, -0.0, 0.5, 5.0, 1e6, f64::NAN].map(ends));
    println!("{:?}", [-2.75, -2.5, 0.0, 2.5, 2.75].map(crossing));
    println!("{:?}", [-4.0, -3.0, 3.0, f64::NAN].map(open));
    let pairs = [(-0.75, Some(-7.25)), (-0.75, Some(7.25)), (-2.0, None), (2.0, None), (-8.75, None), (-8.25, None), (0.0, Some(-2.0))];
    println!("{:?}", pairs.map(inside));
    println!("{} {} {}", is!(-1.5, -1.5), is!(1.5, -1.5), is!(-3.0f32, -5.0..=-2.0));
    println!("{} {}", is!(3.0f64, -5.0..=-2.0), is!(-3i32, -5..=-2));
    println!("{:?}", [-4.75, -4.25, -3.75, -3.5, -3.25, -3.0, 4.25].map(named));
    let -1.0 = -1.0f32 else { panic!("not the same") };
    if let -1.0..=1.0 = 5.0f64 {
        println!("never");
    }
}
