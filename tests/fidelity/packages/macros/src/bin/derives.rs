//! Small derives and a call, each of another library.

use num_traits::FromPrimitive as _;
use ref_cast::RefCast;

#[derive(enum_as_inner::EnumAsInner, Debug)]
enum Shape {
    Circle(u32),
    Rectangle { width: u8, name: String },
    Nothing,
}

#[derive(enum_iterator::Sequence, Debug)]
enum Answer {
    Maybe,
    Certain(bool),
}

#[derive(num_derive::FromPrimitive, Debug)]
enum Number {
    One = 1,
    Two,
}

#[derive(RefCast)]
#[repr(transparent)]
struct Text(str);

fn main() {
    let shape = Shape::Circle(4);
    println!("{:?} {} {:?}", shape.as_circle().copied(), shape.is_rectangle(), shape.into_circle());
    println!("{:?}", Shape::Rectangle { width: 2, name: "r".into() }.into_rectangle());
    println!("{}", Shape::Nothing.is_nothing());
    println!("{:?}", enum_iterator::all::<Answer>().collect::<Vec<_>>());
    println!("{:?} {:?} {:?}", Number::from_u32(1), Number::from_u32(2), Number::from_u32(3));
    println!("{}", Text::ref_cast("hi").0.len());
    print!(
        "{}",
        indoc::indoc! {"
            a
              b
            c
        "}
    );
}
