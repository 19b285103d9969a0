use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;

#[derive(Debug)]
enum Event {
    Order(u32),
    Ship(u32),
    Bill(u32),
}

struct Loop {
    inbox: Receiver<Event>,
    outbox: SyncSender<Event>,
    log: Vec<String>,
}

impl Loop {
    fn post(&mut self, event: Event) {
        self.outbox.send(event).unwrap(); //~ deadlock
    }

    fn handle(&mut self, event: Event) -> bool {
        match event {
            Event::Order(id) => {
                self.post(Event::Ship(id));
                self.post(Event::Bill(id));
            }
            done => {
                let last = matches!(done, Event::Bill(_));
                self.log.push(format!("{done:?}"));
                return !last;
            }
        }
        true
    }

    fn run(mut self) -> Vec<String> {
        while let Ok(event) = self.inbox.recv() {
            let going_on = self.handle(event);
            if !going_on {
                break;
            }
        }
        self.log
    }
}

// The event loop posts two events to its own queue, which has room for one.
fn main() {
    let (outbox, inbox) = mpsc::sync_channel(1);
    let events = Loop { inbox, outbox: outbox.clone(), log: Vec::new() };
    let running = thread::spawn(move || events.run());
    outbox.send(Event::Order(7)).unwrap();
    println!("{:?}", running.join().unwrap().len()); //~ deadlock
}
