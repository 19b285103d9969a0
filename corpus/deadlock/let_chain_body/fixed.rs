use std::collections::HashMap;
use std::sync::{Mutex, RwLock};

struct Gateway {
    quotas: Mutex<HashMap<String, u32>>,
    banned: RwLock<Vec<String>>,
}

impl Gateway {
    fn charge(&self, user: &str) {
        if let Some(left) = self.quotas.lock().unwrap().get_mut(user) {
            *left -= 1;
        }
    }

    fn request(&self, user: &str) -> bool {
        let left = self.quotas.lock().unwrap().get(user).copied();
        if let Some(left) = left
            && left > 0
            && !self.banned.read().unwrap().iter().any(|it| it == user)
        {
            self.charge(user);
            return true;
        }
        self.banned.write().unwrap().push(user.to_string());
        false
    }
}

// The guard in the first link of the `if let` chain lives through the body.
fn main() {
    let gateway = Gateway { quotas: Mutex::new(HashMap::from([("ann".to_string(), 2)])), banned: RwLock::default() };
    println!("{}", gateway.request("bob"));
    println!("{}", gateway.request("ann"));
}
