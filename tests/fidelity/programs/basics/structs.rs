#[derive(Debug, Clone, Copy, PartialEq)]
struct Point {
    x: i32,
    y: i32,
}

impl Point {
    const ORIGIN: Point = Point { x: 0, y: 0 };

    fn new(x: i32, y: i32) -> Self {
        Point { x, y }
    }

    fn norm1(&self) -> i32 {
        self.x.abs() + self.y.abs()
    }

    fn shift(&mut self, dx: i32) -> &mut Self {
        self.x += dx;
        self
    }
}

#[derive(Debug)]
struct Line(Point, Point);

#[derive(Debug)]
struct Unit;

fn main() {
    let mut p = Point::new(1, -2);
    let q = p;
    p.shift(10).shift(5);
    println!("{:?} {:?}", p, q);
    println!("{} {}", p.norm1(), Point::norm1(&q));
    println!("{}", p == q);
    let line = Line(p, Point::ORIGIN);
    println!("{:?}", line);
    println!("{:#?}", line);
    let Line(Point { x, .. }, b) = line;
    println!("{x} {}", b.y);
    let r = Point { y: 100, ..p };
    println!("{:?} {:?}", r, Unit);
    let t = (1, "two", 3.0, 'c', true, ());
    println!("{:?} {}", t, t.1);
    let nested = ((1, 2), [3, 4]);
    println!("{}", nested.0.1 + nested.1[1]);
}
