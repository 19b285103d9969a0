use std::collections::HashMap;
use std::sync::Mutex;

#[derive(Clone, Copy)]
struct Quota {
    left: u32,
}

#[derive(Default)]
struct Quotas {
    users: Mutex<HashMap<String, Quota>>,
}

impl Quotas {
    fn register(&self, user: &str) -> u32 {
        self.users.lock().unwrap().insert(user.to_string(), Quota { left: 3 });
        3
    }

    fn left(&self, user: &str) -> u32 {
        let Some(&quota) = self.users.lock().unwrap().get(user) else {
            return self.register(user);
        };
        let Quota { left } = quota;
        if left == 0 {
            return self.register(user);
        }
        left
    }
}

// The temporaries of a `let ... else` are gone before its else block runs, and after the statement.
fn main() {
    let quotas = Quotas::default();
    println!("{}", quotas.left("ann") + quotas.left("ann"));
    quotas.users.lock().unwrap().insert("bob".into(), Quota { left: 0 });
    println!("{}", quotas.left("bob"));
}
