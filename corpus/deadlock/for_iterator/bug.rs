use std::sync::Mutex;

#[derive(Clone, PartialEq, Debug)]
struct Session {
    user: &'static str,
    idle: u32,
}

struct Sessions {
    open: Mutex<Vec<Session>>,
}

impl Sessions {
    fn close(&self, user: &str) {
        self.open.lock().unwrap().retain(|session| session.user != user); //~ deadlock
    }

    fn expire(&self) {
        for session in self.open.lock().unwrap().iter() {
            if session.idle > 30 {
                self.close(session.user);
            }
        }
    }
}

// The guard that the loop iterates over lives until its end, and `close` locks again.
fn main() {
    let sessions =
        Sessions { open: Mutex::new(vec![Session { user: "ann", idle: 3 }, Session { user: "bob", idle: 45 }]) };
    sessions.expire();
    println!("{:?}", sessions.open.lock().unwrap());
}
