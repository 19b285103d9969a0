fn avg(v: &[i32]) -> i32 {
    v.iter().sum::<i32>() / v.len() as i32
}

fn main() {
    println!("{}", avg(&[1, 2, 6]));
    println!("{}", avg(&[]));
}
