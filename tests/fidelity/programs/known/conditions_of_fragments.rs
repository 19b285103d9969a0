//! A list of expression fragments keeps elements whose condition is false.
macro_rules! list {
    ($($element:expr),*) => { [$($element),*] };
}

fn main() {
    println!("{}", list![#[cfg(windows)] 1, 2, #[cfg(unix)] 3].len());
}
