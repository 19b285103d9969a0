use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, Weak};
use std::thread;

enum Command {
    Add(i64),
    Ask(Box<dyn FnOnce(i64) + Send>),
}

struct Account {
    commands: Mutex<Sender<Command>>,
    own: Weak<Account>,
}

impl Account {
    fn open() -> (Arc<Account>, thread::JoinHandle<i64>) {
        let (sender, receiver) = mpsc::channel();
        let account = Arc::new_cyclic(|own| Account { commands: Mutex::new(sender), own: own.clone() });
        (account, thread::spawn(move || Account::serve(receiver)))
    }

    fn serve(commands: Receiver<Command>) -> i64 {
        let mut balance = 0;
        for command in commands {
            match command {
                Command::Add(amount) => balance += amount,
                Command::Ask(answer) => answer(balance),
            }
        }
        balance
    }

    fn send(&self, command: Command) {
        self.commands.lock().unwrap().send(command).unwrap();
    }

    fn double(&self) {
        let own = self.own.clone();
        self.send(Command::Ask(Box::new(move |balance| {
            if let Some(account) = own.upgrade() {
                account.send(Command::Add(balance));
            }
        })));
    }
}

// The actor sends to itself by a weak handle, so its queue is closed when the last owner outside is gone.
fn main() {
    let (account, served) = Account::open();
    account.send(Command::Add(5));
    account.double();
    let (told, seen) = mpsc::channel();
    account.send(Command::Ask(Box::new(move |balance| told.send(balance).unwrap())));
    println!("{}", seen.recv().unwrap() >= 5);
    drop(account);
    println!("{}", served.join().unwrap() >= 5);
}
