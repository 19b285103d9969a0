use std::cell::UnsafeCell;
use std::sync::Arc;
use std::thread;

struct Polygon {
    points: Vec<(i64, i64)>,
    area: UnsafeCell<i64>,
}

unsafe impl Sync for Polygon {}

impl Polygon {
    fn area(&self) -> i64 {
        let known = self.area.get();
        unsafe {
            if *known == 0 { //~ data-race
                *known = self.compute(); //~ data-race
            }
            *known
        }
    }

    fn compute(&self) -> i64 {
        let next = self.points.iter().cycle().skip(1);
        let doubled: i64 = self.points.iter().zip(next).map(|(a, b)| a.0 * b.1 - a.1 * b.0).sum();
        doubled.abs() / 2
    }
}

// The area is filled in by whoever asks first, and two may be first.
fn main() {
    let polygon = Arc::new(Polygon { points: vec![(0, 0), (4, 0), (4, 3), (0, 3)], area: UnsafeCell::new(0) });
    let other = {
        let polygon = polygon.clone();
        thread::spawn(move || polygon.area())
    };
    println!("{} {}", polygon.area(), other.join().unwrap());
}
