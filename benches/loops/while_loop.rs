//! A `while` loop that counts.

const N: u64 = 1_000;

fn main() {
    let mut i = 0;
    let mut sum = 0;
    while i < N {
        sum += i;
        i += 1;
    }
    println!("{sum}");
}
