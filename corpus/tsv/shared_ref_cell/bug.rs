use std::cell::RefCell;
use std::sync::Arc;
use std::thread;

struct Board(RefCell<[u8; 4]>);

unsafe impl Sync for Board {}

impl Board {
    fn play(&self, cell: usize) {
        let mut cells = self.0.borrow_mut(); //~ thread-safety-violation
        cells[cell] = 1;
    }

    fn played(&self) -> usize {
        let cells = self.0.borrow(); //~ thread-safety-violation
        cells.len()
    }
}

// The borrow counter of a `RefCell` does not keep threads apart.
fn main() {
    let board = Arc::new(Board(RefCell::new([0; 4])));
    let player = {
        let board = board.clone();
        thread::spawn(move || board.play(2))
    };
    let played = board.played();
    let _ = player.join();
    println!("{played}");
}
