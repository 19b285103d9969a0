fn find(v: &[&str], want: &str) -> Option<usize> {
    v.iter().position(|x| *x == want)
}

fn main() {
    let v = ["a", "b"];
    println!("{}", find(&v, "b").unwrap());
    println!("{}", find(&v, "c").unwrap());
}
