use std::collections::HashMap;
use std::sync::RwLock;

struct Translations {
    loaded: RwLock<HashMap<&'static str, String>>,
}

impl Translations {
    fn load(&self, key: &'static str) -> String {
        let text = key.replace('_', " ");
        self.loaded.write().unwrap().insert(key, text.clone()); //~ deadlock
        text
    }

    fn get(&self, key: &'static str) -> String {
        self.loaded.read().unwrap().get(key).cloned().unwrap_or_else(|| self.load(key))
    }
}

// The read guard of the method chain is still there when its last closure wants to write.
fn main() {
    let translations = Translations { loaded: RwLock::default() };
    println!("{}", translations.get("good_morning"));
    println!("{}", translations.get("good_morning"));
}
