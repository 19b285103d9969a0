//! Fast bodies on memory of the heap that was never written, before anything else is unknown: the real bodies have to do it.

use std::collections::hash_map::DefaultHasher;
use std::hash::Hasher;

fn main() {
    println!("{} {}", 1_234_567, std::str::from_utf8(b"all of it written").is_ok());
    let mut bytes: Vec<u8> = Vec::with_capacity(32);
    bytes.extend_from_slice(b"begun");
    unsafe { bytes.set_len(32) };
    let mut hasher = DefaultHasher::new();
    hasher.write(&bytes);
    println!("{}", if hasher.finish() % 2 == 0 { "even" } else { "odd" });
    println!("{}", std::str::from_utf8(&bytes).is_ok());
    println!("done");
}
