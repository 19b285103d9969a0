// Blanks around dots and separators in text of macros.
macro_rules! own {
    ($a:expr, $b:ident) => {
        [stringify!($a..$b), stringify!(..$a), stringify!($b.x.0), stringify!(a.b), stringify!($b..), stringify!(x..=y), stringify!($a ..= 1)]
    };
}
macro_rules! lists {
    ($($t:tt)*) => { [stringify!($($t),*), stringify!($($t);*), stringify!($(&$t),*), stringify!($($t)*)] };
}
fn main() {
    println!("{:?}", own!(1 + 2, b));
    println!("{:?}", lists!(a b c));
    println!("{:?}", lists!(a 1 'a "x"));
    println!("{}", stringify!(a..=b, a .. b, a ... b, x.y . z, ..));
    println!("{}", stringify!(a, b; c,d; &'a x,& y));
}
