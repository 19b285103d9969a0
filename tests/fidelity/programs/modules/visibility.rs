mod shapes {
    pub mod round {
        #[derive(Debug, Default)]
        pub struct Circle {
            pub r: u32,
            pub(super) hidden: u32,
            secret: u32,
        }
        impl Circle {
            pub fn new(r: u32) -> Self {
                Circle { r, hidden: super::helper(r), secret: self::secret::make() }
            }
            pub(in crate::shapes) fn secret(&self) -> u32 {
                self.secret
            }
        }
        mod secret {
            pub(super) fn make() -> u32 {
                super::super::COUNT + crate::top()
            }
        }
        pub use self::secret_reexport::visible as renamed;
        mod secret_reexport {
            pub fn visible() -> &'static str {
                module_path!()
            }
        }
    }
    const COUNT: u32 = 5;
    fn helper(n: u32) -> u32 {
        n * 10
    }
    pub fn peek(c: &round::Circle) -> (u32, u32) {
        (c.hidden, c.secret())
    }
    pub use round::Circle as C;
    pub mod prelude {
        pub use super::round::*;
        pub use super::{C, Area as _};
    }
    pub trait Area {
        fn area(&self) -> u32;
    }
    impl Area for round::Circle {
        fn area(&self) -> u32 {
            3 * self.r * self.r
        }
    }
}

use shapes::prelude::*;
use std::fmt::{self, Write as _, Display};

fn top() -> u32 {
    100
}

mod a {
    pub fn who() -> &'static str {
        "a"
    }
    pub mod b {
        pub fn who() -> String {
            format!("b under {}", super::who())
        }
        pub(crate) enum State {
            On,
            Off(u8),
        }
        impl State {
            pub const START: State = State::Off(3);
        }
    }
}
use a::b::{self, State::{self, *}};

struct Wrapper(Box<dyn Display>);
impl fmt::Display for Wrapper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}]", self.0)
    }
}

fn main() {
    let c = Circle::new(2);
    println!("{:?} {}", c, c.area());
    println!("{:?} {}", shapes::peek(&c), renamed());
    println!("{} {:?}", a::who(), b::who());
    let s = if c.r > 1 { State::START } else { On };
    match s {
        On => println!("on"),
        Off(n) => println!("off {n}"),
    }
    let mut out = String::new();
    write!(out, "{}", Wrapper(Box::new(7))).unwrap();
    println!("{out} {}", C::default().r);
    fn inner() -> &'static str {
        fn innermost() -> &'static str {
            "innermost"
        }
        innermost()
    }
    println!("{}", inner());
    {
        use std::cmp::max as biggest;
        const LOCAL: i32 = 3;
        struct Local(i32);
        impl Local {
            fn get(&self) -> i32 {
                self.0.max(LOCAL)
            }
        }
        println!("{} {}", biggest(1, 2), Local(1).get());
    }
    let r#match = "raw ident";
    println!("{} {}", r#match, crate::a::b::who().len());
    println!("{}", ::std::mem::size_of::<crate::shapes::C>());
}
