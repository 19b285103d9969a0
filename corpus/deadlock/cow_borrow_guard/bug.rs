use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Deref;
use std::sync::{RwLock, RwLockReadGuard};

struct Translations {
    texts: RwLock<HashMap<&'static str, String>>,
}

struct Text<'a> {
    guard: RwLockReadGuard<'a, HashMap<&'static str, String>>,
    key: &'static str,
}

impl Deref for Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        self.guard.get(self.key).map_or(self.key, String::as_str)
    }
}

impl Translations {
    fn get(&self, key: &'static str) -> Text<'_> {
        Text { guard: self.texts.read().unwrap(), key }
    }

    fn set(&self, key: &'static str, text: Cow<'_, str>) {
        self.texts.write().unwrap().insert(key, text.into_owned()); //~ deadlock
    }

    fn capitalise(&self, key: &'static str) {
        let text = self.get(key);
        let mut letters = text.chars();
        let capitalised: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
        if capitalised != *text {
            self.set(key, Cow::Owned(capitalised));
        }
    }
}

// The text that was looked up has the read guard inside, and lives while the new text is set.
fn main() {
    let translations = Translations { texts: RwLock::default() };
    translations.set("yes", Cow::Borrowed("oui"));
    translations.capitalise("yes");
    println!("{}", &*translations.get("yes"));
}
