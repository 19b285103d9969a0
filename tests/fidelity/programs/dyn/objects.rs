use std::any::{Any, TypeId};
use std::fmt::{Debug, Display};
use std::rc::Rc;

trait Animal: Debug {
    fn name(&self) -> String;
    fn age(&self) -> u32 {
        1
    }
    fn older(&mut self) {}
    fn consume(self: Box<Self>) -> String;
    fn shared(self: Rc<Self>) -> usize {
        Rc::strong_count(&self)
    }
    fn generic<T: Display>(&self, t: T) -> String
    where
        Self: Sized,
    {
        format!("{t}:{}", self.name())
    }
    fn make() -> Self
    where
        Self: Sized;
}
#[derive(Debug)]
struct Dog(u32);
#[derive(Debug)]
struct Cat;
impl Animal for Dog {
    fn name(&self) -> String {
        "dog".into()
    }
    fn age(&self) -> u32 {
        self.0
    }
    fn older(&mut self) {
        self.0 += 1;
    }
    fn consume(self: Box<Self>) -> String {
        format!("dog of {}", self.0)
    }
    fn make() -> Dog {
        Dog(0)
    }
}
impl Animal for Cat {
    fn name(&self) -> String {
        "cat".into()
    }
    fn consume(self: Box<Self>) -> String {
        "cat".repeat(2)
    }
    fn make() -> Cat {
        Cat
    }
}
impl Drop for Cat {
    fn drop(&mut self) {
        println!("cat dropped");
    }
}
impl dyn Animal {
    fn inherent(&self) -> usize {
        self.name().len()
    }
}

trait Sup {
    fn sup(&self) -> &'static str;
}
trait Mid: Sup + Display {
    fn mid(&self) -> i32;
}
struct X(i32);
impl Sup for X {
    fn sup(&self) -> &'static str {
        "sup"
    }
}
impl Display for X {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "X{}", self.0)
    }
}
impl Mid for X {
    fn mid(&self) -> i32 {
        self.0 * 2
    }
}
fn up(m: &dyn Mid) -> &dyn Sup {
    m
}
fn up_box(m: Box<dyn Mid>) -> Box<dyn Display> {
    m
}

trait Plugin: Any {
    fn run(&mut self, n: i32) -> i32;
}
struct Acc(i32);
impl Plugin for Acc {
    fn run(&mut self, n: i32) -> i32 {
        self.0 += n;
        self.0
    }
}
struct Fun<F>(F);
impl<F: FnMut(i32) -> i32 + 'static> Plugin for Fun<F> {
    fn run(&mut self, n: i32) -> i32 {
        (self.0)(n)
    }
}

trait Conv<T> {
    fn conv(&self) -> T;
}
impl Conv<String> for i32 {
    fn conv(&self) -> String {
        format!("s{self}")
    }
}
impl Conv<f64> for i32 {
    fn conv(&self) -> f64 {
        *self as f64 / 2.0
    }
}

fn main() {
    let mut zoo: Vec<Box<dyn Animal>> = vec![Box::new(Dog::make()), Box::new(Cat::make())];
    for a in &mut zoo {
        a.older();
        println!("{} {} {:?} {}", a.name(), a.age(), a, a.inherent());
    }
    println!("{}", Dog(4).generic("g"));
    for a in zoo {
        println!("{}", a.consume());
    }
    let r: Rc<dyn Animal> = Rc::new(Dog(1));
    println!("{}", r.clone().shared());
    let x = X(4);
    let m: &dyn Mid = &x;
    println!("{} {} {} {}", m.mid(), up(m).sup(), m, up_box(Box::new(X(5))));
    let mut k = 0;
    let mut ps: Vec<Box<dyn Plugin>> = vec![Box::new(Acc(10)), Box::new(Fun(move |n| { k += n; k * 100 }))];
    for round in 1..3 {
        println!("{:?}", ps.iter_mut().map(|p| p.run(round)).collect::<Vec<_>>());
    }
    let any: &dyn Any = &*ps[0];
    println!("{:?} {}", any.downcast_ref::<Acc>().map(|a| a.0), any.is::<X>());
    let b: Box<dyn Any> = ps.remove(0);
    println!("{:?}", b.downcast::<Acc>().map(|a| a.0).ok());
    let cs: [&dyn Conv<String>; 2] = [&1, &2];
    println!("{} {}", cs.map(|c| c.conv()).join(","), (&3 as &dyn Conv<f64>).conv());
    let anys: Vec<Box<dyn Any + Send>> = vec![Box::new(1i32), Box::new("str"), Box::new(String::from("owned")), Box::new(1.5f32)];
    for a in &anys {
        if let Some(i) = a.downcast_ref::<i32>() {
            println!("i32 {i}");
        } else if let Some(s) = a.downcast_ref::<&str>() {
            println!("str {s}");
        } else if a.is::<String>() {
            println!("String");
        } else {
            println!("other {}", (**a).type_id() == TypeId::of::<f32>());
        }
    }
    let ds: &[&dyn Display] = &[&1, &"two", &'3', &4.5];
    println!("{}", ds.iter().map(|d| format!("{d:>4}")).collect::<String>());
    println!("{:?} {}", std::any::type_name_of_val(&x).rsplit("::").next(), std::any::type_name::<dyn Sup>().contains("Sup"));
}
