fn sum(v: &[u8]) -> u8 {
    let mut s = 0u8;
    for x in v {
        s += x;
        println!("s = {s}");
    }
    s
}

fn main() {
    println!("{}", sum(&[1, 2, 3]));
    println!("{}", sum(&[200, 50, 10]));
}
