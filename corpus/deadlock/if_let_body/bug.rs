use std::collections::HashMap;
use std::sync::Mutex;

struct Scores {
    by_player: Mutex<HashMap<&'static str, u32>>,
}

impl Scores {
    fn add(&self, player: &'static str, points: u32) {
        *self.by_player.lock().unwrap().entry(player).or_default() += points; //~ deadlock
    }

    fn double(&self, player: &'static str) {
        if let Some(points) = self.by_player.lock().unwrap().get(player) {
            self.add(player, *points);
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
