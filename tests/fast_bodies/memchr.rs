//! Bytes and characters looked for in texts of every length, from both ends.

use std::ffi::CString;

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
    let mut numbers = Numbers(3);
    for round in 0..60 {
        let len = numbers.below(if round % 3 == 0 { 9 } else { 70 }) as usize;
        let text: String = (0..len).map(|_| (b'a' + numbers.below(20) as u8) as char).collect();
        let byte = (b'a' + numbers.below(22) as u8) as char;
        println!("{:?} {:?}", text.find(byte), text.rfind(byte));
        println!("{} {:?}", text.as_bytes().contains(&(byte as u8)), text.split(byte).collect::<Vec<_>>());
    }
    println!("{:?} {:?}", "äöü".find('ö'), "äöüö".rfind('ö'));
    println!("{:?} {:?}", CString::new("no\0no"), CString::new("a text that is long enough"));
    println!("done");
}
