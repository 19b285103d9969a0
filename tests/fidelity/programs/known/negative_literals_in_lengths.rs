// Lengths of arrays are rust-analyzer's own to compute, from what it reads as `-(3.pow(2))`.
macro_rules! square {
    ($e:expr) => {
        $e.pow(2)
    };
}

fn main() {
    println!("{}", [0u8; square!(-3isize) as usize].len());
}
