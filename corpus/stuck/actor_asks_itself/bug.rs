use std::sync::mpsc::{Sender, channel};
use std::thread;

enum Message {
    Get(Sender<i32>),
    Double,
    Stop,
}

fn ask(actor: &Sender<Message>) -> i32 {
    let (reply, answer) = channel();
    actor.send(Message::Get(reply)).unwrap();
    answer.recv().unwrap() //~ deadlock
}

// To double its value the actor asks for it with a message that only it can answer.
fn main() {
    let (actor, inbox) = channel();
    let own = actor.clone();
    let thread = thread::spawn(move || {
        let mut value = 21;
        loop {
            match inbox.recv().unwrap() {
                Message::Get(reply) => reply.send(value).unwrap(),
                Message::Double => value = ask(&own) * 2,
                Message::Stop => break,
            }
        }
        drop(own);
        value
    });
    actor.send(Message::Double).unwrap();
    actor.send(Message::Stop).unwrap();
    println!("{}", thread.join().unwrap()); //~ deadlock
}
