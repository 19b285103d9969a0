#[derive(Debug, Clone, PartialEq)]
enum Shape {
    Circle(f64),
    Rect { w: f64, h: f64 },
    Empty,
}

impl Shape {
    fn area(&self) -> f64 {
        match self {
            Shape::Circle(r) => 3.0 * r * r,
            Shape::Rect { w, h } => w * h,
            Shape::Empty => 0.0,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Level {
    Low = 1,
    Mid = 5,
    High,
}

enum List {
    Cons(i32, Box<List>),
    Nil,
}
use List::*;

fn sum(l: &List) -> i32 {
    match l {
        Cons(v, rest) => *v + sum(rest),
        Nil => 0,
    }
}

fn main() {
    let shapes = [Shape::Circle(2.0), Shape::Rect { w: 2.0, h: 3.5 }, Shape::Empty];
    for s in &shapes {
        println!("{:?} {}", s, s.area());
    }
    println!("{}", shapes[0] == Shape::Circle(2.0));
    println!("{}", shapes[2].clone() != Shape::Empty);
    println!("{} {} {}", Level::Low as i32, Level::Mid as u8, Level::High as i64);
    println!("{:?}", Level::Low < Level::High);
    println!("{:?}", Level::Mid.max(Level::High));
    println!("{:?}", Level::Mid.cmp(&Level::Low));
    let l = Cons(1, Box::new(Cons(2, Box::new(Cons(3, Box::new(Nil))))));
    println!("{}", sum(&l));
    let o: Option<Option<i32>> = Some(None);
    println!("{:?} {:?}", o, o.is_some());
}
