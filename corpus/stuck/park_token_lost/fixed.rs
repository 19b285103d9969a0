use std::sync::{Arc, Mutex};
use std::thread;

type Inbox = Arc<Mutex<Vec<u32>>>;

fn next(inbox: &Inbox) -> u32 {
    loop {
        let mut letters = inbox.lock().unwrap();
        if !letters.is_empty() {
            return letters.remove(0);
        }
        drop(letters);
        thread::park();
    }
}

// Two wake-ups before the first park leave one token, and the second park has none.
fn main() {
    let inbox = Inbox::default();
    let reader = {
        let inbox = inbox.clone();
        thread::spawn(move || next(&inbox) + next(&inbox))
    };
    for letter in [1, 2] {
        inbox.lock().unwrap().push(letter);
        reader.thread().unpark();
    }
    println!("{}", reader.join().unwrap());
}
