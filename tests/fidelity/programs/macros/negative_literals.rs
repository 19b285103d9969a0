// What a macro takes as one expression stays one, also a number with its sign.
use std::fmt::Debug;
use std::ops::Neg;

macro_rules! methods {
    ($e:expr, $l:literal) => {
        println!("{} {} {} {}", $e.pow(2), $l.pow(2), -$e, $e.pow(2).wrapping_add(1).pow(1))
    };
}
macro_rules! nested {
    (($num:expr, $exp:expr) => $expected:expr) => {{
        let result = $num.pow($exp);
        assert_eq!(result, $expected);
        assert_eq!($num.pow($exp), $expected, "of {}", $num);
        println!("{}", outer!($num));
    }};
}
macro_rules! outer {
    ($e:expr) => {
        inner!($e)
    };
}
macro_rules! inner {
    ($e:expr) => {
        $e.pow(2)
    };
}
macro_rules! float {
    ($e:expr) => {
        ($e.abs(), $e.powi(2), -$e.abs(), $e.max(-0.5).signum(), $e.clamp(-1.0, 1.0))
    };
}
macro_rules! minus {
    ($e:expr) => {
        -$e.pow(2)
    };
}
macro_rules! many {
    ($($e:expr),*) => { [$($e.rem_euclid(3)),*] };
}
macro_rules! tokens {
    ($($t:tt)*) => { $($t)*.wrapping_shr(1) };
}

trait Twice: Sized {
    fn twice(self) -> (Self, Self)
    where
        Self: Copy,
    {
        (self, self)
    }
    fn same(self) -> Self {
        self
    }
}
impl Twice for i32 {}

fn show<T: Debug + Neg<Output = T>>(value: T) {
    println!("{:?}", -value);
}

fn main() {
    methods!(-4i32, -3i64);
    nested!((3u32, 2) => 9);
    nested!((-4i32, 2) => 16);
    nested!((-2i64, 3) => -8);
    println!("{:?}", float!(-2.5f64));
    println!("{:?}", float!(2.5f32));
    println!("{} {}", minus!(-4i32), minus!(4i32));
    println!("{:?}", many!(-4i32, 4i32, -1i32, 5i32));
    println!("{}", inner!(-4i32).same());
    println!("{} {}", -4i32.pow(2), (-4i32).pow(2));
    println!("{}", tokens!(4i32));
    let variable = 4i32;
    println!("{} {} {}", inner!(-variable), inner!(variable - 6), inner!(-(4i32)));
    println!("{:?} {:?}", (-1i32).twice(), -1i32.same());
    show(inner!(-3i32));
    const C: i32 = inner!(-5i32);
    static S: i64 = inner!(-6i64);
    println!("{C} {S}");
}
