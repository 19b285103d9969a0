use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

struct Peer {
    out: Sender<String>,
    inbox: Receiver<String>,
}

impl Peer {
    fn greet(&self, name: &str) -> String {
        self.out.send(name.to_string()).unwrap();
        let other = self.inbox.recv().unwrap();
        format!("{name} meets {other}")
    }
}

// Each peer waits for the other's name before it tells its own.
fn main() {
    let ((to_server, from_client), (to_client, from_server)) = (channel(), channel());
    let server = Peer { out: to_client, inbox: from_client };
    let client = Peer { out: to_server, inbox: from_server };
    let thread = thread::spawn(move || server.greet("server"));
    println!("{}", client.greet("client"));
    println!("{}", thread.join().unwrap());
}
