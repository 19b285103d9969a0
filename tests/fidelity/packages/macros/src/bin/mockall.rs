//! A mock of a trait.

#[mockall::automock]
trait T {
    fn f(&self, a: u32) -> u32;
}
fn main() {
    let mut m = MockT::new();
    m.expect_f().times(1).returning(|a| a + 1);
    println!("{}", m.f(2));
}
