// Blanks around dots, and after a separator, in a macro's own text.
macro_rules! range {
    ($a:expr, $($l:lifetime),*) => {
        (stringify!($a || a..=b), stringify!($(&$l),*))
    };
}

fn main() {
    println!("{:?}", range!(1, 'a, 'b));
}
