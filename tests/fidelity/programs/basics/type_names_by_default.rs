// Arguments that are an item's defaults are not printed; the future of an `async fn` is a closure in it.
use std::any::type_name;
struct A<T, U = Vec<T>, const N: usize = 3>(T, U);
struct B<T = u8>(T);
trait Tr<T = i32> {
    fn f(&self) {}
}
impl Tr for u8 {}
impl Tr<bool> for u8 {}
enum E<T = ()> {
    V(T),
}
async fn later(x: i32) -> i32 {
    x
}
fn v<T>(_: T) -> &'static str {
    type_name::<T>()
}
fn main() {
    println!("{} {}", type_name::<A<u8>>(), type_name::<A<u8, Vec<u8>, 3>>());
    println!("{} {} {}", type_name::<A<u8, Vec<i8>>>(), type_name::<A<u8, Vec<u8>, 4>>(), type_name::<A<u8, (), 3>>());
    println!("{} {} {}", type_name::<B>(), type_name::<B<B>>(), type_name::<B<i8>>());
    println!("{} {}", type_name::<Box<[Vec<String>]>>(), type_name::<std::collections::HashSet<u8>>());
    println!("{} {}", v(<u8 as Tr>::f), v(<u8 as Tr<bool>>::f));
    println!("{} {}", v(E::<()>::V), v(E::<u8>::V));
    println!("{} {}", v(later(1)), v(async { later(1).await }));
    println!("{}", v(Vec::<u8>::push));
}
