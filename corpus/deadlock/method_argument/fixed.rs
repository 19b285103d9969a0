use std::sync::Mutex;

struct Ticket {
    number: usize,
    subject: String,
}

struct HelpDesk {
    tickets: Mutex<Vec<Ticket>>,
}

impl HelpDesk {
    fn next_number(&self) -> usize {
        self.tickets.lock().unwrap().iter().map(|ticket| ticket.number).max().unwrap_or(0) + 1
    }

    fn open(&self, subject: &str) {
        let subject = subject.to_string();
        let number = self.next_number();
        self.tickets.lock().unwrap().push(Ticket { number, subject });
    }
}

// The receiver of `push` is locked before its argument is evaluated, which locks too.
fn main() {
    let desk = HelpDesk { tickets: Mutex::default() };
    desk.open("printer on fire");
    for ticket in desk.tickets.lock().unwrap().iter() {
        println!("#{} {}", ticket.number, ticket.subject);
    }
}
