//! Integers of every size and sign as decimal text, plain and padded.

/// The same numbers in every run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let x = self.0 ^ (self.0 >> 33);
        x.wrapping_mul(0xff51afd7ed558ccd) >> 7
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }
}

fn main() {
    let mut numbers = Numbers(1);
    for round in 0..60 {
        let n = numbers.next() >> numbers.below(57);
        let n = if round % 7 == 0 { 10u64.pow(round as u32 % 20) - u64::from(round % 2 == 0) } else { n };
        println!("{} {} {} {} {}", n, n as u8, n as u16, n as u32, n as usize);
        println!("{} {} {} {} {}", n as i64, n as i8, n as i16, n as i32, n as isize);
        println!("{:>12}|{:<8}|{:+}|{:08}|{:?}", n as u32, n as u8, n as i16, n as i32, n as i8);
    }
    println!("{} {} {} {}", u64::MAX, i64::MIN, u8::MAX, i8::MIN);
    println!("{} {}", 0u8, (-1i32).to_string() + &7usize.to_string());
    println!("done");
}
