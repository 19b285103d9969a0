use std::any::Any;
use std::fmt::Debug;

#[derive(Debug)]
struct D<T: Debug>(T);
impl<T: Debug> Drop for D<T> {
    fn drop(&mut self) {
        println!("drop {:?}", self.0);
    }
}

trait Shape: Debug {
    fn area(&self) -> i32;
}

#[derive(Debug)]
struct Sq(i32, D<&'static str>);
impl Shape for Sq {
    fn area(&self) -> i32 {
        self.0 * self.0
    }
}
#[derive(Debug)]
struct Zst;
impl Shape for Zst {
    fn area(&self) -> i32 {
        0
    }
}
impl Drop for Zst {
    fn drop(&mut self) {
        println!("drop zst");
    }
}

fn consume(s: Box<dyn Shape>) -> i32 {
    s.area()
}

struct Wrapper<T: ?Sized> {
    tag: D<u8>,
    inner: T,
}

fn main() {
    println!("{}", consume(Box::new(Sq(3, D("sq")))));
    println!("{}", consume(Box::new(Zst)));
    let w: Box<Wrapper<dyn Debug>> = Box::new(Wrapper { tag: D(1), inner: D("unsized tail") });
    println!("{:?}", &w.inner);
    drop(w);
    let w: Box<Wrapper<[D<i32>]>> = Box::new(Wrapper { tag: D(2), inner: [D(10), D(11)] });
    println!("{} {}", w.inner.len(), w.tag.0);
    drop(w);
    let a: Box<dyn Any> = Box::new(D(vec![1]));
    match a.downcast::<D<i32>>() {
        Ok(_) => println!("?"),
        Err(a) => println!("{}", a.downcast::<D<Vec<i32>>>().unwrap().0[0]),
    }
    let zsts = [Zst, Zst];
    let v: Vec<Zst> = zsts.into_iter().collect();
    println!("{}", v.len());
    drop(v);
    let items: Vec<Box<dyn Shape>> = vec![Box::new(Zst), Box::new(Sq(1, D("one")))];
    let total: i32 = items.iter().map(|s| s.area()).sum();
    println!("total {total}");
}
