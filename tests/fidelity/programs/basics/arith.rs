fn add(a: i32, b: i32) -> i32 {
    a + b
}

fn fact(n: u64) -> u64 {
    if n == 0 { 1 } else { n * fact(n - 1) }
}

fn gcd(mut a: u32, mut b: u32) -> u32 {
    while b != 0 {
        let t = a % b;
        a = b;
        b = t;
    }
    a
}

fn main() {
    println!("{}", add(2, 3));
    println!("{}", fact(20));
    println!("{}", gcd(48, 180));
    let mut sum = 0u32;
    for i in 0..10 {
        sum += i;
    }
    println!("{sum}");
    for i in 1..=5 {
        if i == 3 {
            continue;
        }
        print!("{} ", i);
    }
    println!();
    println!("{} {} {} {}", 7 / 2, -7 / 2, 7 % 3, -7 % 3);
    println!("{} {} {}", 6 & 3, 6 | 3, 6 ^ 3);
    println!("{} {} {}", !5i32, !5u8, -(-3));
    println!("{} {}", 1 < 2, 2 == 3 || !false);
    let x = { let y = 3; y * y };
    println!("{x}");
}
