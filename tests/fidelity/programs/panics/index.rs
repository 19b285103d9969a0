fn get(v: &[i32], i: usize) -> i32 {
    v[i]
}

fn main() {
    let v = vec![1, 2, 3];
    println!("{}", get(&v, 2));
    println!("{}", get(&v, 3));
}
