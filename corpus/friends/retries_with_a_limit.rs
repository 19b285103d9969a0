use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Duration;

#[derive(Default)]
struct Mailbox {
    letter: Mutex<Option<String>>,
    arrived: Condvar,
}

impl Mailbox {
    fn fetch(&self, attempts: u32) -> Option<String> {
        let mut letter = self.letter.lock().unwrap();
        for _ in 0..attempts {
            if letter.is_some() {
                break;
            }
            let (guard, result) = self.arrived.wait_timeout(letter, Duration::from_millis(4)).unwrap();
            letter = guard;
            if result.timed_out() {
                // Gives others a chance before the next attempt.
                drop(letter);
                thread::yield_now();
                letter = self.letter.lock().unwrap();
            }
        }
        letter.take()
    }
}

// The fetcher gives up after a while, so that the letter that never comes keeps nobody waiting.
fn main() {
    let mailbox = Arc::new(Mailbox::default());
    let postman = thread::spawn({
        let mailbox = mailbox.clone();
        move || {
            thread::sleep(Duration::from_millis(8));
            *mailbox.letter.lock().unwrap() = Some("hello".to_owned());
            mailbox.arrived.notify_one();
        }
    });
    let first = mailbox.fetch(3);
    postman.join().unwrap();
    let second = mailbox.fetch(2);
    println!("{}", first.or(second).as_deref() == Some("hello"));
    println!("{:?}", mailbox.fetch(2));
}
