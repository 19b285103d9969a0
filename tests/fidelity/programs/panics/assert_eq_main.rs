#[derive(Debug, PartialEq)]
struct P {
    x: i32,
    name: &'static str,
}

fn main() {
    let a = P { x: 1, name: "one\ttab" };
    let b = P { x: 2, name: "two" };
    assert_ne!(a, b);
    assert_eq!(a.x + 1, b.x, "sums");
    assert_eq!(a, b, "points differ at step {}", 3);
}
