use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

enum Message {
    Balance(Sender<u32>),
    Transfer { amount: u32 },
}

struct Actor {
    inbox: Receiver<Message>,
    peer: Sender<Message>,
    balance: u32,
}

impl Actor {
    fn ask_peer(&self) -> Option<u32> {
        let (reply, answer) = mpsc::channel();
        self.peer.send(Message::Balance(reply)).ok()?;
        loop {
            if let Ok(balance) = answer.try_recv() {
                return Some(balance);
            }
            match self.inbox.try_recv() {
                Ok(Message::Balance(reply)) => _ = reply.send(self.balance),
                Ok(Message::Transfer { .. }) | Err(_) => thread::yield_now(),
            }
        }
    }

    fn run(mut self, first: u32) -> u32 {
        let known = self.ask_peer().unwrap_or(0);
        self.balance -= first.min(known);
        _ = self.peer.send(Message::Transfer { amount: first.min(known) });
        while let Ok(message) = self.inbox.recv() {
            match message {
                Message::Balance(reply) => _ = reply.send(self.balance),
                Message::Transfer { amount } => {
                    self.balance += amount;
                    break;
                }
            }
        }
        self.balance
    }
}

// Each actor asks the other for its balance and answers nothing until it has the answer.
fn main() {
    let (to_a, inbox_a) = mpsc::channel();
    let (to_b, inbox_b) = mpsc::channel();
    let a = Actor { inbox: inbox_a, peer: to_b, balance: 10 };
    let b = Actor { inbox: inbox_b, peer: to_a, balance: 20 };
    let other = thread::spawn(move || b.run(2));
    let balance = a.run(1);
    println!("{balance} {}", other.join().unwrap());
}
