// What macros write: types and impls in a `const _`, whose impls rust-analyzer finds twice.
use std::fmt::Debug;
trait Parts {
    type Inner: Debug;
    fn new(x: u8) -> Self;
}
#[derive(Debug)]
struct Flags(<Flags as Parts>::Inner);
const _: () = {
    struct Inner(u8);
    impl Debug for Inner {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write!(f, "Inner {}", self.0)
        }
    }
    impl Parts for Flags {
        type Inner = Inner;
        fn new(x: u8) -> Flags {
            Flags(Inner(x))
        }
    }
    impl Flags {
        fn bits(&self) -> u8 {
            self.0.0
        }
    }
    impl Drop for Inner {
        fn drop(&mut self) {
            println!("drop {}", self.0);
        }
    }
};
fn main() {
    println!("{:?} {}", Flags::new(5), Flags::new(6).bits());
    println!("{:?}", Some([Flags::new(7), Flags::new(8)]));
}
