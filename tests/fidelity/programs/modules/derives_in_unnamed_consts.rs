// What `bitflags` writes: derives in a `const _` on a type that stands in it, reached by derives outside.
use std::collections::HashSet;
trait Parts { type Inner; fn new(x: u8) -> Self; }
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Clone, Copy, Hash)]
struct Flags(<Flags as Parts>::Inner);
const _: () = {
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
    struct Inner(u8);
    #[derive(Clone, Debug, PartialEq, Eq)]
    enum Kind { One(Inner), Two { x: Inner, y: String }, Three }
    impl Parts for Flags { type Inner = Inner; fn new(x: u8) -> Flags { Flags(Inner(x)) } }
    impl Flags {
        fn same(self, other: Flags) -> bool { self == other && self.0 == other.0 }
        fn kinds(self) -> String {
            let kinds = [Kind::One(self.0), Kind::Two { x: Inner::default(), y: "y".to_string() }, Kind::Three];
            format!("{:?} {} {}", kinds.clone(), kinds[0] == Kind::One(Inner(5)), kinds[1] == kinds[2])
        }
    }
};
fn main() {
    let (a, b) = (Flags::new(5), Flags::new(6));
    println!("{:?} {} {} {:?} {:?}", a, a == b, a.same(a.clone()), a.cmp(&b), a.partial_cmp(&b));
    println!("{} {}", a.kinds(), [a, b, a].into_iter().collect::<HashSet<_>>().len());
    assert_eq!(Some(a), Some(Flags::new(5)));
    assert_ne!([a], [b]);
    let mut sorted = vec![b, a]; sorted.sort(); println!("{sorted:?} {:?}", sorted.iter().max());
}
