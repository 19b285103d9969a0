use std::borrow::Borrow;
fn main() {
    let it = [1, 2, 3].iter();
    for x in it {
        println!("{x}");
    }
    let r: &'static i32 = 5.borrow();
    println!("{r}");
    let s = ["a", "b"].as_slice();
    println!("{s:?}");
    let w = [1, 2, 3, 4].windows(2);
    println!("{}", w.count());
    let o = Some(3).as_ref();
    println!("{o:?}");
    let z: &'static [&'static str] = &["a", "b"];
    println!("{z:?}");
    fn f() -> &'static (&'static str, fn(i32) -> i32) {
        fn g(x: i32) -> i32 {
            x + 1
        }
        &("k", g)
    }
    println!("{} {}", f().0, f().1(2));
    fn h() -> &'static Option<&'static [u8]> {
        &Some(b"xy")
    }
    println!("{:?}", h());

    fn l() -> &'static std::ops::RangeInclusive<i32> {
        &(1..=3)
    }
    println!("{:?}", l());
    fn m() -> &'static usize {
        &size_of::<u64>()
    }
    println!("{:?}", m());
    fn e() -> &'static mut [i32] {
        &mut []
    }
    println!("{:?}", e());
}
