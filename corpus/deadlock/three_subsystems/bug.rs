use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex};
use std::thread;

mod physics {
    use std::sync::Mutex;

    #[derive(Default)]
    pub struct World {
        pub bodies: Mutex<Vec<f32>>,
    }

    impl World {
        pub fn step(&self, mut on_hit: impl FnMut(usize)) {
            let mut bodies = self.bodies.lock().unwrap(); //~ deadlock
            for (id, body) in bodies.iter_mut().enumerate() {
                *body -= 1.0;
                if *body < 0.0 {
                    on_hit(id);
                    *body = 10.0;
                }
            }
        }
    }
}

#[derive(Default)]
struct Score {
    points: Mutex<u32>,
}

struct Game {
    world: physics::World,
    score: Score,
    sounds: Mutex<Sender<&'static str>>,
}

impl Game {
    fn tick(&self) {
        self.world.step(|id| {
            *self.score.points.lock().unwrap() += id as u32 + 1; //~ deadlock
            self.sounds.lock().unwrap().send("hit").unwrap();
        });
    }

    fn reset(&self) -> u32 {
        let mut points = self.score.points.lock().unwrap();
        self.world.step(|_| ());
        std::mem::take(&mut *points)
    }
}

// A step reports hits, which count points, under the lock of the bodies; a reset steps under the lock of the points.
fn main() {
    let (sounds, heard) = mpsc::channel();
    let game = Arc::new(Game { world: Default::default(), score: Score::default(), sounds: Mutex::new(sounds) });
    game.world.bodies.lock().unwrap().extend([0.5, 3.0]);
    let ticker = thread::spawn({
        let game = game.clone();
        move || (0..2).for_each(|_| game.tick())
    });
    let points = game.reset();
    ticker.join().unwrap();
    drop(game);
    println!("{} {}", points < 9, heard.iter().count() > 0);
}
