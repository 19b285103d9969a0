use std::mem;
use std::sync::{Arc, Mutex};

struct Shared<T>(Arc<Mutex<T>>);

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Shared(Arc::clone(&self.0))
    }
}

impl<T> Shared<T> {
    fn new(value: T) -> Self {
        Shared(Arc::new(Mutex::new(value)))
    }

    fn swap(&self, other: &Shared<T>) {
        if Arc::ptr_eq(&self.0, &other.0) {
            return;
        }
        mem::swap(&mut *self.0.lock().unwrap(), &mut *other.0.lock().unwrap());
    }
}

fn shuffle<T>(items: &[Shared<T>], mut seed: usize) {
    for i in (1..items.len()).rev() {
        seed = seed * 1103 + 12345;
        items[i].swap(&items[seed % (i + 1)]);
    }
}

// A shuffle may swap an item with itself, and that locks it twice.
fn main() {
    let items: Vec<_> = ["a", "b", "c", "d"].into_iter().map(Shared::new).collect();
    for seed in 0..4 {
        shuffle(&items, seed);
    }
    println!("{}", items.iter().map(|item| *item.0.lock().unwrap()).collect::<String>().len());
}
