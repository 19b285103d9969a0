//! Elements pushed to a `Vec` and visited once.

const N: u64 = 1_000;

fn main() {
    let mut elements = Vec::new();
    let mut i = 0;
    while i < N {
        elements.push(i);
        i += 1;
    }
    let mut sum = 0;
    for element in &elements {
        sum += *element;
    }
    println!("{sum}");
}
