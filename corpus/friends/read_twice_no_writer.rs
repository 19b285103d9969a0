use std::sync::RwLock;
use std::thread;

struct Map {
    rows: RwLock<Vec<u32>>,
}

impl Map {
    fn width(&self) -> usize {
        self.rows.read().unwrap().len()
    }

    fn last(&self) -> Option<u32> {
        let rows = self.rows.read().unwrap();
        rows.get(self.width() - 1).copied()
    }
}

// The lock is read again while it is being read, but nobody writes any more.
fn main() {
    let map = Map { rows: RwLock::default() };
    map.rows.write().unwrap().extend([1, 2, 3]);
    thread::scope(|scope| {
        scope.spawn(|| map.last());
        println!("{:?}", map.last());
    });
}
