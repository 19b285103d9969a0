use std::sync::{Mutex, MutexGuard};

struct Game {
    board: Mutex<[u8; 9]>,
}

impl Game {
    fn board(&self) -> MutexGuard<'_, [u8; 9]> {
        self.board.lock().unwrap()
    }

    fn is_free(&self, cell: usize) -> bool {
        self.board()[cell] == 0
    }

    fn play(&self, cell: usize, player: u8) -> bool {
        let free = self.is_free(cell);
        let mut board = self.board();
        if free {
            board[cell] = player;
        }
        free
    }
}

// A helper gives out guards, and one of its callers calls it through another helper once more.
fn main() {
    let game = Game { board: Mutex::new([0; 9]) };
    println!("{} {}", game.play(4, 1), game.play(4, 2));
}
