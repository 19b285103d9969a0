// Default methods, blanket impls, supertraits and overriding of what they provide.

use std::fmt::{Debug, Display};

trait Named {
    const KIND: &'static str = "thing";

    fn name(&self) -> String;

    fn greeting(&self) -> String {
        format!("{} {}", Self::KIND, self.name())
    }
}

trait Loud: Named {
    fn shout(&self) -> String {
        self.greeting().to_uppercase()
    }
}

impl<T: Named> Loud for T {}

struct Cat;
struct Dog(u8);

impl Named for Cat {
    fn name(&self) -> String {
        "Minka".into()
    }
}

impl Named for Dog {
    const KIND: &'static str = "dog";

    fn name(&self) -> String {
        format!("Rex {}", self.0)
    }

    fn greeting(&self) -> String {
        format!("{}!", self.name())
    }
}

trait Describe {
    fn describe(&self) -> String;
}

impl<T: Debug + ?Sized> Describe for T {
    fn describe(&self) -> String {
        format!("<{self:?}>")
    }
}

trait Joined<T> {
    fn joined(self, by: &str) -> String;
}

impl<I: IntoIterator<Item = T>, T: Display> Joined<T> for I {
    fn joined(self, by: &str) -> String {
        self.into_iter().map(|it| it.to_string()).collect::<Vec<_>>().join(by)
    }
}

fn main() {
    println!("{} / {}", Cat.shout(), Cat.greeting());
    println!("{} / {}", Dog(3).shout(), Dog(4).greeting());
    println!("{} {} {}", "text".describe(), [1, 2][..].describe(), Some(()).describe());
    println!("{}", [1.5, 2.0].joined("; "));
    println!("{}", "abc".chars().rev().joined("-"));
    println!("{} {}", Cat::KIND, <Dog as Named>::KIND);
}
