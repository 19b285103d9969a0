// Trait objects: upcasting, supertraits, generic methods beside, downcasting, `dyn` with defaults and blanket impls.
use std::any::Any;
use std::fmt::{Debug, Display};
use std::rc::Rc;
use std::sync::Arc;
trait Named { fn name(&self) -> String; fn twice(&self) -> String { format!("{0}{0}", self.name()) } }
trait Sized2 { fn size(&self) -> usize { 7 } }
trait Animal: Named + Sized2 + Debug { fn legs(&self) -> u8; fn sum(&self) -> usize { self.size() + self.legs() as usize + self.name().len() } }
trait Pet: Animal + Any { fn owner(&self) -> &str; fn boxed(self: Box<Self>) -> Box<dyn Animal>; fn rc(self: Rc<Self>) -> usize where Self: 'static { Rc::strong_count(&self) } }
#[derive(Debug)] struct Dog(String);
#[derive(Debug)] struct Cat { age: u8 }
impl Named for Dog { fn name(&self) -> String { self.0.clone() } }
impl Sized2 for Dog {}
impl Animal for Dog { fn legs(&self) -> u8 { 4 } }
impl Pet for Dog { fn owner(&self) -> &str { &self.0[..1] } fn boxed(self: Box<Self>) -> Box<dyn Animal> { self } }
impl Named for Cat { fn name(&self) -> String { "cat".into() } fn twice(&self) -> String { "purr".into() } }
impl Sized2 for Cat { fn size(&self) -> usize { self.age as usize } }
impl Animal for Cat { fn legs(&self) -> u8 { 3 } }
impl Pet for Cat { fn owner(&self) -> &str { "nobody" } fn boxed(self: Box<Self>) -> Box<dyn Animal> { Box::new(Dog("was a cat".into())) } }
impl Drop for Dog { fn drop(&mut self) { println!("bye {}", self.0) } }
impl dyn Animal { fn inherent(&self) -> String { format!("inherent {}", self.name()) } }
impl dyn Pet { fn is_dog(&self) -> bool { (self as &dyn Any).is::<Dog>() } }
impl PartialEq for dyn Animal { fn eq(&self, other: &dyn Animal) -> bool { self.name() == other.name() } }
trait Shape { fn area(&self) -> f64; fn scaled(&self, by: f64) -> Self where Self: Sized; fn visit<V: FnMut(f64)>(&self, mut v: V) where Self: Sized { v(self.area()) } }
struct Square(f64);
impl Shape for Square { fn area(&self) -> f64 { self.0 * self.0 } fn scaled(&self, by: f64) -> Self { Square(self.0 * by) } }
impl<T: Shape + ?Sized> Shape for Box<T> { fn area(&self) -> f64 { (**self).area() + 0.5 } fn scaled(&self, _: f64) -> Self { unimplemented!() } }
trait Describe { fn describe(&self) -> String; }
impl<T: Display> Describe for T { fn describe(&self) -> String { format!("<{self}>") } }
trait Op<T> { fn apply(&self, x: T) -> T; }
impl<F: Fn(i32) -> i32> Op<i32> for F { fn apply(&self, x: i32) -> i32 { self(x) } }
impl Op<&'static str> for Square { fn apply(&self, x: &'static str) -> &'static str { &x[self.0 as usize..] } }
fn show(it: &dyn Animal) -> String { format!("{} {} {} {} {it:?}", it.name(), it.twice(), it.legs(), it.sum()) }
fn main() {
    let pets: Vec<Box<dyn Pet>> = vec![Box::new(Dog("rex".into())), Box::new(Cat { age: 3 })];
    for pet in &pets {
        let animal: &dyn Animal = &**pet;
        let named: &dyn Named = animal;
        println!("{} | {} | {} {} {}", show(animal), named.twice(), pet.owner(), pet.is_dog(), animal.inherent());
        println!("{:?} {}", (&**pet as &dyn Any).downcast_ref::<Cat>().map(|c| c.age), std::mem::size_of_val(&**pet));
    }
    println!("{}", *pets[0].boxed_eq() == *pets[1].boxed_eq());
    let up: Vec<Box<dyn Animal>> = pets.into_iter().map(|p| p as Box<dyn Animal>).collect();
    println!("{}", up.iter().map(|a| a.name()).collect::<Vec<_>>().join("+"));
    drop(up);
    println!("{}", show(&*(Box::new(Cat { age: 1 }) as Box<dyn Pet>).boxed()));
    let rc: Rc<dyn Pet> = Rc::new(Dog("rc".into()));
    let other: Rc<dyn Animal> = rc.clone();
    let weak = Rc::downgrade(&other);
    println!("{} {} {}", rc.clone().rc(), Rc::strong_count(&other), weak.upgrade().is_some());
    drop((rc, other));
    println!("{}", weak.upgrade().is_none());
    let any: Arc<dyn Any + Send + Sync> = Arc::new(5u8);
    println!("{:?} {:?}", any.clone().downcast::<u8>().ok(), any.downcast::<i8>().is_err());
    let any: Box<dyn Any> = Box::new(String::from("boxed"));
    println!("{:?}", any.downcast::<i32>().map_err(|it| it.downcast::<String>().unwrap()));
    let shapes: [&dyn Shape; 2] = [&Square(2.0), &(Box::new(Square(1.0)) as Box<dyn Shape>)];
    println!("{:?}", shapes.map(|s| s.area()));
    Square(3.0).scaled(0.5).visit(|a| println!("{a}"));
    println!("{} {} {}", 5.describe(), "x".describe(), (&&1.5 as &dyn Describe).describe());
    println!("{} {}", (|x: i32| x + 1).apply_it(), Op::apply(&Square(1.0), "abc"));
    let errors: Vec<Box<dyn std::error::Error + Send + Sync>> = vec!["text".into(), Box::new(std::fmt::Error), String::from("owned").into()];
    println!("{:?} {}", errors, errors.iter().map(|e| e.to_string()).collect::<Vec<_>>().join("|"));
    println!("{:?}", errors[1].downcast_ref::<std::fmt::Error>());
    println!("{} {}", std::mem::size_of::<&dyn Animal>(), std::mem::align_of_val(&Square(1.0) as &dyn Shape));
}
trait ApplyIt { fn apply_it(&self) -> i32; }
impl<F: Fn(i32) -> i32> ApplyIt for F { fn apply_it(&self) -> i32 { self(41) } }
trait BoxedEq { fn boxed_eq(&self) -> Box<dyn Animal>; }
impl BoxedEq for Box<dyn Pet> { fn boxed_eq(&self) -> Box<dyn Animal> { Box::new(Cat { age: self.legs() }) } }
