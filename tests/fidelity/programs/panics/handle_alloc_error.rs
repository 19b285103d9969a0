// Without a hook of its own (unstable) a program says this and aborts.
use std::alloc::{handle_alloc_error, Layout};
fn main() {
    println!("before");
    handle_alloc_error(Layout::new::<[u64; 3]>());
}
