use std::sync::{Arc, Mutex};
use std::thread;

#[derive(Default)]
struct Particles {
    positions: Mutex<Vec<f32>>,
}

struct Handle {
    position: *mut f32,
}

unsafe impl Send for Handle {}

impl Particles {
    fn add(&self, position: f32) -> Handle {
        let mut positions = self.positions.lock().unwrap();
        positions.push(position);
        Handle { position: positions.last_mut().unwrap() }
    }

    fn with_room_for(count: usize) -> Particles {
        Particles { positions: Mutex::new(Vec::with_capacity(count)) }
    }
}

fn simulate(particle: Handle, steps: u32) -> f32 {
    for step in 0..steps {
        unsafe { *particle.position += step as f32 * 0.5 };
    }
    unsafe { *particle.position }
}

// The vector grows, and so moves its content, while a thread works on one element by its address.
fn main() {
    let particles = Arc::new(Particles::with_room_for(8));
    let first = particles.add(1.0);
    let simulation = thread::spawn(move || simulate(first, 3));
    for n in 0..4 {
        let more = Arc::clone(&particles);
        more.add(n as f32);
    }
    println!("{}", simulation.join().unwrap() >= 1.0);
    println!("{}", particles.positions.lock().unwrap().len());
}
