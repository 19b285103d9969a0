// An operator that a macro passes on stands before the next token as it stood before the one that came after it in the source.
macro_rules! list {
    ($($t:tt)*) => {
        stringify!($($t),*)
    };
}

fn main() {
    println!("{}", list!(a.b -1 x::y));
}
