use std::sync::{Arc, Mutex};
use std::{ptr, thread};

struct Shelf {
    books: Mutex<Vec<&'static str>>,
}

fn swap_first(one: &Shelf, other: &Shelf) {
    if ptr::eq(one, other) {
        return;
    }
    let (low, high) = if ptr::from_ref(one) < ptr::from_ref(other) { (one, other) } else { (other, one) };
    let mut low = low.books.lock().unwrap();
    let mut high = high.books.lock().unwrap();
    std::mem::swap(&mut low[0], &mut high[0]);
}

// Whatever the order of the arguments, the shelf at the lower address is locked first.
fn main() {
    let shelves = Arc::new([Shelf { books: Mutex::new(vec!["emma"]) }, Shelf { books: Mutex::new(vec!["ulysses"]) }]);
    let other = {
        let shelves = shelves.clone();
        thread::spawn(move || swap_first(&shelves[1], &shelves[0]))
    };
    swap_first(&shelves[0], &shelves[1]);
    swap_first(&shelves[0], &shelves[0]);
    other.join().unwrap();
    println!("{}", shelves[0].books.lock().unwrap()[0]);
}
