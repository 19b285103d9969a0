//! A struct whose last field has an associated type: whether pointers to it are wide is known once that type is.

use std::fmt::Display;
use std::mem::{size_of, size_of_val};

trait Family {
    type Member: ?Sized;
}

struct Words([u16]);

struct Letters;
struct Numbers;
struct Shown;
struct Wrapped;
struct Plain;
struct Via<T>(T);

impl Family for Letters {
    type Member = str;
}
impl Family for Numbers {
    type Member = [u32];
}
impl Family for Shown {
    type Member = dyn Display;
}
impl Family for Wrapped {
    type Member = Words;
}
impl Family for Plain {
    type Member = u64;
}
impl<T: Family> Family for Via<T> {
    type Member = Ref<T>;
}

#[allow(dead_code)]
struct Ref<A: Family> {
    head: u8,
    tail: A::Member,
}

#[repr(C)]
#[allow(dead_code)]
struct Two<A: Family, B>(B, Ref<A>);

fn sizes<A: Family>(name: &str) {
    println!(
        "{name} {} {} {} {}",
        size_of::<&Ref<A>>(),
        size_of::<Box<Ref<A>>>(),
        size_of::<Option<*const Two<A, u8>>>(),
        size_of::<*mut A::Member>(),
    );
}

#[repr(transparent)]
struct Text<A: Family>(A::Member);

impl Text<Letters> {
    fn new(of: &str) -> &Self {
        unsafe { &*(std::ptr::from_ref(of) as *const Self) }
    }
}

fn main() {
    sizes::<Letters>("letters");
    sizes::<Numbers>("numbers");
    sizes::<Shown>("shown");
    sizes::<Wrapped>("wrapped");
    sizes::<Plain>("plain");
    sizes::<Via<Letters>>("via letters");
    sizes::<Via<Via<Numbers>>>("via via numbers");
    sizes::<Via<Plain>>("via plain");
    println!("{}", size_of::<&Ref<Wrapped>>());

    let plain = Ref::<Plain> { head: 1, tail: 2 };
    println!("{} {} {}", plain.head, plain.tail, size_of_val(&plain));
    let text = Text::new("some words");
    println!("{} {} {}", &text.0, size_of_val(text), size_of_val(&text));
    let again: Box<Text<Letters>> = {
        let boxed: Box<str> = "in a box".into();
        unsafe { Box::from_raw(Box::into_raw(boxed) as *mut Text<Letters>) }
    };
    println!("{} {}", again.0.len(), &again.0);
}
