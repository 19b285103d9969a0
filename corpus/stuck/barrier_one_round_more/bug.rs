use std::sync::Barrier;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

struct Simulation {
    step: Barrier,
    energy: AtomicU32,
}

impl Simulation {
    fn run(&self, rounds: usize) {
        for round in 0..rounds {
            self.energy.fetch_add(round as u32, Ordering::Relaxed);
            self.step.wait(); //~ deadlock
        }
    }
}

fn rounds_of(part: usize, cells: usize, parts: usize) -> usize {
    cells / parts + usize::from(part < cells % parts)
}

// Seven cells in three parts: the first part has a round more than the others and waits for them in vain.
fn main() {
    let simulation = Simulation { step: Barrier::new(3), energy: AtomicU32::new(0) };
    thread::scope(|scope| { //~ deadlock
        for part in 0..3 {
            let simulation = &simulation;
            scope.spawn(move || simulation.run(rounds_of(part, 7, 3)));
        }
    });
    println!("{}", simulation.energy.into_inner());
}
