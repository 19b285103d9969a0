use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

enum Request {
    Add(u32),
    Total(Sender<u32>),
}

fn account(inbox: Receiver<Request>) {
    let mut total = 0;
    let mut waiting = Vec::new();
    for request in inbox {
        match request {
            Request::Add(n) => total += n,
            Request::Total(reply) if total == 0 => reply.send(0).unwrap(),
            Request::Total(reply) => waiting.push(reply),
        }
        if total > 0 {
            waiting.drain(..).for_each(|reply| reply.send(total).unwrap());
        }
    }
}

// As long as there is nothing to tell, the actor keeps the reply and with it the one who asks.
fn main() {
    let (actor, inbox) = channel();
    let thread = thread::spawn(move || account(inbox));
    let (reply, answer) = channel();
    actor.send(Request::Total(reply)).unwrap();
    println!("{}", answer.recv().unwrap());
    actor.send(Request::Add(5)).unwrap();
    drop(actor);
    thread.join().unwrap();
}
