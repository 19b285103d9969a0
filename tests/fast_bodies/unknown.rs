//! Fast bodies on values that are not known, among others that are: the real bodies have to do it.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

unsafe extern "C" {
    fn measure() -> u64;
}

fn main() {
    let unknown = unsafe { measure() };
    let mut hasher = DefaultHasher::new();
    17u64.hash(&mut hasher);
    println!("{:x}", hasher.clone().finish());
    unknown.hash(&mut hasher);
    18u64.hash(&mut hasher);
    let hash = hasher.finish();
    println!("{}", if hash % 2 == 0 { "even" } else { "odd" });
    let mut bytes = *b"a text with something in it";
    bytes[3] = unknown as u8;
    println!("{}", bytes.contains(&b'#'));
    println!("{}", std::str::from_utf8(&bytes).is_ok());
    println!("{}", std::str::from_utf8(b"all of it known").is_ok());
    println!("{} {}", (unknown as u8).to_string().len() < 4, 12345.to_string());
    println!("done");
}
