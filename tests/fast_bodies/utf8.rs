//! Texts and what is nearly one.

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
    let mut numbers = Numbers(4);
    let chars = ['a', 'Z', '\n', 'ß', 'é', '€', '\u{800}', '\u{ffff}', '🦀', '\u{10ffff}'];
    for round in 0..100 {
        let len = numbers.below(24);
        let only_ascii = round % 4 == 0;
        let text: String = (0..len).map(|_| chars[numbers.below(if only_ascii { 3 } else { 10 }) as usize]).collect();
        let mut bytes = text.into_bytes();
        if !bytes.is_empty() && round % 3 != 0 {
            let at = numbers.below(bytes.len() as u64) as usize;
            match numbers.below(3) {
                0 => bytes[at] = numbers.next() as u8,
                1 => bytes.truncate(at),
                _ => drop(bytes.remove(at)),
            }
        }
        println!("{:?}", std::str::from_utf8(&bytes));
        println!("{:?}", String::from_utf8(bytes.clone()).map_err(|error| error.utf8_error()));
        println!("{}", String::from_utf8_lossy(&bytes));
    }
    println!("done");
}
