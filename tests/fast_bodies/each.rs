//! Reaches each fast body once.

use std::hash::{DefaultHasher, Hasher};

fn main() {
    let mut hasher = DefaultHasher::new();
    hasher.write(b"text");
    let text = String::from_utf8(b"text".to_vec()).unwrap();
    println!("{}{}{}{}{}", 1u8, 1u16, 1u32, hasher.finish(), 1usize);
    println!("{:?} {:?}", text.find('x'), text.rfind('x'));
    for n in 0..2 {
        for text in ["a"; 2].iter_mut() {
            *text = "b";
            println!("{n} {text}");
        }
        println!("{:?}", [n].iter().next());
    }
    drop(std::sync::Mutex::new(0).lock());
    println!("{}", std::panic::catch_unwind(|| std::panic::resume_unwind(Box::new(0))).is_err());
    println!("done");
}
