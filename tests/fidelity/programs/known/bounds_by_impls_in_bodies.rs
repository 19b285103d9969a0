//! An impl whose bound holds by an impl in the body of a function.

trait Shown {
    const NAME: &'static str;
}

struct One(u8);

fn name<T: Shown>(_: &T) -> &'static str {
    impl Shown for One {
        const NAME: &'static str = "one";
    }
    T::NAME
}

impl<T: Shown> Shown for Vec<T> {
    const NAME: &'static str = T::NAME;
}

fn main() {
    let one = One(1);
    println!("{} {} {}", one.0, name(&one), name(&vec![One(2)]));
}
