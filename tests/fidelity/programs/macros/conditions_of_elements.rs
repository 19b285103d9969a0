//! Elements with conditions, in lists and in the arguments of macros.
struct Pair(u32, u32);

fn sum(#[cfg(windows)] a: u32, b: u32, #[cfg(unix)] c: u32) -> u32 {
    b * 10 + c
}

impl Pair {
    fn add(&self, #[cfg(windows)] a: u32, b: u32) -> u32 {
        self.0 + self.1 + b
    }
}

fn main() {
    let array = [#[cfg(windows)] 1, 2, #[cfg(unix)] 3, #[cfg(windows)] 4];
    println!("{array:?}");
    let numbers = vec![#[cfg(windows)] 1, 2, #[cfg(unix)] 3];
    println!("{numbers:?} {}", numbers.len());
    println!("{}", sum(#[cfg(windows)] 1, 2, #[cfg(unix)] 3));
    let pair = Pair(#[cfg(windows)] 1, 2, #[cfg(unix)] 3);
    println!("{} {}", pair.0, pair.add(#[cfg(windows)] 1, 7));
    let protocols: Vec<Vec<u8>> = vec![#[cfg(windows)] "h2".into(), "http/1.1".into()];
    println!("{}", protocols.len());
    let none: Vec<String> = vec![#[cfg(windows)] String::new()];
    println!("{none:?} {:?} {:?}", vec![1; 2], vec![1, 2,]);
    let nested = vec![vec![1; 2], vec![3], vec![]];
    println!("{nested:?}");
}
