use std::sync::Once;
use std::{ptr, thread};

struct Tables {
    squares: [u32; 8],
}

static INIT: Once = Once::new();
static mut TABLES: Tables = Tables { squares: [0; 8] };

fn try_square(n: usize) -> Option<u32> {
    INIT.is_completed().then(|| unsafe { (*ptr::addr_of!(TABLES)).squares[n] })
}

fn square(n: usize) -> u32 {
    if let Some(square) = try_square(n) {
        return square;
    }
    INIT.call_once_force(|state| {
        assert!(!state.is_poisoned());
        let tables = unsafe { &mut *ptr::addr_of_mut!(TABLES) };
        for (n, square) in tables.squares.iter_mut().enumerate() {
            *square = (n * n) as u32;
        }
    });
    try_square(n).expect("they are there now")
}

// That the initialisation is completed is seen with what it did.
fn main() {
    let threads = [3, 4, 5].map(|n| thread::spawn(move || square(n)));
    println!("{}", threads.map(|thread| thread.join().unwrap()).iter().sum::<u32>());
}
