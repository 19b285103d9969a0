use std::collections::BTreeMap;
use std::fmt::{Debug, Display};
use std::marker::PhantomData;

trait Shape {
    const SIDES: u32;
    const NAME: &'static str = "shape";
    type Unit: Display + Default;
    fn area(&self) -> f64;
    fn unit() -> Self::Unit {
        Self::Unit::default()
    }
    fn describe(&self) -> String {
        format!("{} {} {:.1}{}", Self::NAME, Self::SIDES, self.area(), Self::unit())
    }
}
#[derive(Default)]
struct Metre;
impl Display for Metre {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str("m2")
    }
}
struct Sq(f64);
impl Shape for Sq {
    const SIDES: u32 = 4;
    const NAME: &'static str = "square";
    type Unit = Metre;
    fn area(&self) -> f64 {
        self.0 * self.0
    }
}
struct Tri;
impl Shape for Tri {
    const SIDES: u32 = Sq::SIDES - 1;
    type Unit = String;
    fn area(&self) -> f64 {
        0.5
    }
    fn unit() -> String {
        "?".repeat(Self::SIDES as usize)
    }
}

trait Named {
    fn name(&self) -> String;
}
impl<T: Debug> Named for T {
    fn name(&self) -> String {
        format!("<{self:?}>")
    }
}

trait Base {
    fn id(&self) -> u32;
}
trait Derived: Base {
    fn double(&self) -> u32 {
        self.id() * 2
    }
}
impl Base for u8 {
    fn id(&self) -> u32 {
        *self as u32
    }
}
impl Derived for u8 {}
fn use_derived(d: &impl Derived) -> u32 {
    d.id() + d.double()
}

struct Meters<T>(f64, PhantomData<T>);
struct Km;
struct Mile;
trait Scale {
    const K: f64;
}
impl Scale for Km {
    const K: f64 = 1000.0;
}
impl Scale for Mile {
    const K: f64 = 1609.0;
}
impl<T: Scale> Meters<T> {
    fn new(x: f64) -> Self {
        Meters(x * T::K, PhantomData)
    }
    fn to<U: Scale>(self) -> Meters<U> {
        Meters(self.0, PhantomData)
    }
    fn show(&self) -> f64 {
        self.0 / T::K
    }
}

trait Store {
    type Item<'a>
    where
        Self: 'a;
    fn get<'a>(&'a self, k: &str) -> Option<Self::Item<'a>>;
}
struct Map(BTreeMap<String, String>);
impl Store for Map {
    type Item<'a> = &'a str;
    fn get<'a>(&'a self, k: &str) -> Option<&'a str> {
        self.0.get(k).map(|s| s.as_str())
    }
}

trait Zero {
    fn zero() -> Self;
}
macro_rules! zeros {
    ($($t:ty => $e:expr),*) => { $(impl Zero for $t { fn zero() -> $t { $e } })* };
}
zeros!(i32 => 0, f64 => 0.0, String => String::new());
fn sum<T: Zero + std::ops::Add<U, Output = T>, U>(it: impl IntoIterator<Item = U>) -> T {
    it.into_iter().fold(T::zero(), |a, b| a + b)
}

fn main() {
    println!("{} {}", Sq(3.0).describe(), Tri.describe());
    println!("{} {} {}", 5.name(), "x".name(), vec![Some(1)].name());
    println!("{}", use_derived(&21u8));
    println!("{:.3}", Meters::<Mile>::new(2.0).to::<Km>().show());
    let m = Map(BTreeMap::from([("k".to_string(), "v".to_string())]));
    println!("{:?} {:?}", m.get("k"), m.get("q"));
    println!("{} {} {}", sum::<i32, _>([1, 2, 3]), sum::<f64, _>([0.5, 0.25]), sum::<String, &str>(["a", "b"]));
    println!("{} {}", <u8 as Base>::id(&3), <Tri as Shape>::NAME);
    println!("{}", <Vec<i32> as Named>::name(&vec![]));
}
