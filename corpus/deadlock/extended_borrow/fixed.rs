use std::sync::Mutex;

struct Profile {
    name: Mutex<String>,
    changes: Mutex<u32>,
}

impl Profile {
    fn rename(&self, name: &str) {
        *self.name.lock().unwrap() = name.to_string();
        *self.changes.lock().unwrap() += 1;
    }

    fn capitalise(&self) {
        let name = &self.name.lock().unwrap().clone();
        let capital = name.to_uppercase();
        if capital != *name {
            self.rename(&capital);
        }
    }
}

// A guard that is borrowed from in a `let` lives as long as the variable.
fn main() {
    let profile = Profile { name: Mutex::new("ann".to_string()), changes: Mutex::new(0) };
    profile.capitalise();
    println!("{} {}", profile.name.lock().unwrap(), profile.changes.lock().unwrap());
}
