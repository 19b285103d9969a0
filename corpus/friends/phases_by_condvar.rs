use std::cell::UnsafeCell;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

struct Phaser {
    state: Mutex<(usize, u32)>,
    turned: Condvar,
    parties: usize,
}

impl Phaser {
    fn arrive(&self) -> u32 {
        let mut state = self.state.lock().unwrap();
        state.0 += 1;
        let phase = state.1;
        if state.0 == self.parties {
            *state = (0, phase + 1);
            self.turned.notify_all();
        } else {
            state = self.turned.wait_while(state, |state| state.1 == phase).unwrap();
        }
        state.1
    }
}

struct Life {
    boards: [UnsafeCell<[bool; 6]>; 2],
    phaser: Phaser,
}

unsafe impl Sync for Life {}

impl Life {
    fn run(&self, part: usize) {
        let mut phase = 0;
        while phase < 3 {
            let (now, next) = (self.boards[phase % 2].get().cast::<bool>(), self.boards[(phase + 1) % 2].get().cast::<bool>());
            for cell in part * 3..part * 3 + 3 {
                let (left, right) = ((cell + 5) % 6, (cell + 1) % 6);
                unsafe { *next.add(cell) = *now.add(left) ^ *now.add(right) };
            }
            phase = self.phaser.arrive() as usize;
        }
    }
}

// In each phase one board is only read, and each thread writes its own half of the other.
fn main() {
    let phaser = Phaser { state: Mutex::new((0, 0)), turned: Condvar::new(), parties: 2 };
    let boards = [UnsafeCell::new([true, false, false, true, true, false]), UnsafeCell::default()];
    let life = Arc::new(Life { boards, phaser });
    let other = thread::spawn({
        let life = life.clone();
        move || life.run(1)
    });
    life.run(0);
    other.join().unwrap();
    println!("{:?}", unsafe { *life.boards[1].get() });
}
