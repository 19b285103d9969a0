use std::collections::HashMap;
use std::sync::Mutex;

struct Scores {
    by_player: Mutex<HashMap<&'static str, u32>>,
}

impl Scores {
    fn add(&self, player: &'static str, points: u32) {
        *self.by_player.lock().unwrap().entry(player).or_default() += points;
    }

    fn double(&self, player: &'static str) {
        let points = self.by_player.lock().unwrap().get(player).copied();
        if let Some(points) = points {
            self.add(player, points);
        }
    }
}

// In every edition the guard of an `if let` lives through its first block.
fn main() {
    let scores = Scores { by_player: Mutex::default() };
    scores.add("ann", 4);
    scores.double("ann");
    println!("{:?}", scores.by_player.lock().unwrap().get("ann"));
}
