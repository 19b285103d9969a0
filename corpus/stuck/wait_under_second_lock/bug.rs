use std::sync::{Arc, Condvar, Mutex};
use std::thread;

#[derive(Default)]
struct Mailbox {
    users: Mutex<u32>,
    letters: Mutex<Vec<&'static str>>,
    arrived: Condvar,
}

impl Mailbox {
    fn post(&self, letter: &'static str) {
        *self.users.lock().unwrap() += 1; //~ deadlock
        self.letters.lock().unwrap().push(letter);
        self.arrived.notify_one();
    }

    fn fetch(&self) -> usize {
        let mut users = self.users.lock().unwrap();
        *users += 1;
        let letters = self.letters.lock().unwrap();
        let letters = self.arrived.wait_while(letters, |letters| letters.is_empty()).unwrap(); //~ deadlock
        letters.len()
    }
}

// The reader waits for a letter with a second lock in hand that the writer needs first.
fn main() {
    let mailbox = Arc::new(Mailbox::default());
    let postman = {
        let mailbox = mailbox.clone();
        thread::spawn(move || mailbox.post("hello"))
    };
    println!("{}", mailbox.fetch());
    postman.join().unwrap();
}
