use std::fmt;
use std::sync::Mutex;

struct Player {
    name: &'static str,
    health: Mutex<i32>,
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let health = self.health.lock().unwrap();
        write!(f, "{} ({health})", self.name)
    }
}

impl Player {
    fn hit(&self, damage: i32) {
        let mut health = self.health.lock().unwrap();
        *health -= damage;
        drop(health);
        println!("hit {self}");
    }
}

// `Display` locks the health that the caller holds while it prints.
fn main() {
    let player = Player { name: "knight", health: Mutex::new(10) };
    player.hit(3);
    println!("{player}");
}
