use std::sync::Arc;
use std::sync::RwLock;
use std::thread;

struct Board(RwLock<[u8; 4]>);

impl Board {
    fn play(&self, cell: usize) {
        let mut cells = self.0.write().unwrap();
        cells[cell] = 1;
    }

    fn played(&self) -> usize {
        let cells = self.0.read().unwrap();
        cells.len()
    }
}

// The borrow counter of a `RefCell` does not keep threads apart.
fn main() {
    let board = Arc::new(Board(RwLock::new([0; 4])));
    let player = {
        let board = board.clone();
        thread::spawn(move || board.play(2))
    };
    let played = board.played();
    let _ = player.join();
    println!("{played}");
}
