//@ edition: 2015
// rust-analyzer's parser does not know parameters without a name in a trait of edition 2015.
trait Shape {
    fn area(&self, u32) -> u32;
}
struct Square;
impl Shape for Square {
    fn area(&self, side: u32) -> u32 {
        side * side
    }
}

fn main() {
    let shape: &Shape = &Square;
    println!("{}", shape.area(4));
}
