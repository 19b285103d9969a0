use std::fmt;

trait Animal {
    fn name(&self) -> String;
    fn legs(&self) -> u32 {
        4
    }
    fn describe(&self) -> String {
        format!("{} with {} legs", self.name(), self.legs())
    }
}

struct Dog;
struct Bird {
    kind: &'static str,
}

impl Animal for Dog {
    fn name(&self) -> String {
        "dog".into()
    }
}

impl Animal for Bird {
    fn name(&self) -> String {
        format!("{} bird", self.kind)
    }
    fn legs(&self) -> u32 {
        2
    }
}

struct Hex(u32);

impl fmt::Display for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0x{:x}", self.0)
    }
}

impl From<u32> for Hex {
    fn from(v: u32) -> Self {
        Hex(v)
    }
}

impl std::ops::Add for Hex {
    type Output = Hex;
    fn add(self, o: Hex) -> Hex {
        Hex(self.0 + o.0)
    }
}

fn total<T: Animal + ?Sized>(items: &[Box<T>]) -> u32 {
    items.iter().map(|a| a.legs()).sum()
}

fn main() {
    let zoo: Vec<Box<dyn Animal>> = vec![Box::new(Dog), Box::new(Bird { kind: "blue" })];
    for a in &zoo {
        println!("{}", a.describe());
    }
    println!("{}", total(&zoo));
    let h: Hex = 250.into();
    println!("{} {}", h, Hex(1) + Hex(2));
    println!("{:>8}|", Hex(7).to_string());
}
