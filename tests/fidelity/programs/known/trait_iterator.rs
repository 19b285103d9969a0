// rust-analyzer does not infer what `items` gives where a bound has it and the result is opaque.
trait Items {
    fn items(&self) -> impl Iterator<Item = i32>;
}
impl Items for Vec<i32> {
    fn items(&self) -> impl Iterator<Item = i32> {
        self.iter().map(|x| x + 1)
    }
}
struct Wrap<'a, T: Items>(&'a T);
impl<T: Items> Items for Wrap<'_, T> {
    fn items(&self) -> impl Iterator<Item = i32> {
        (*self.0).items().chain([99])
    }
}
fn main() {
    println!("{:?}", Wrap(&vec![1, 2]).items().collect::<Vec<_>>());
}
