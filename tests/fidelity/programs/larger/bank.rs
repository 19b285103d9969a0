//! A bank with accounts behind locks, worker threads, a ledger thread and an audit.
use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Condvar, Mutex, RwLock};
use std::thread;

type Cents = i64;

#[derive(Debug, Clone, PartialEq, Eq)]
enum BankError {
    NoAccount(u32),
    Insufficient { need: Cents, have: Cents },
    Frozen(u32),
    SameAccount,
}
impl fmt::Display for BankError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoAccount(id) => write!(f, "no account {id}"),
            Self::Insufficient { need, have } => write!(f, "need {need}, have {have}"),
            Self::Frozen(id) => write!(f, "account {id} is frozen"),
            Self::SameAccount => f.write_str("same account"),
        }
    }
}
impl std::error::Error for BankError {}

#[derive(Debug)]
struct Account {
    id: u32,
    owner: String,
    balance: Cents,
    frozen: bool,
}
impl Account {
    fn withdraw(&mut self, amount: Cents) -> Result<(), BankError> {
        if self.frozen {
            return Err(BankError::Frozen(self.id));
        }
        if self.balance < amount {
            return Err(BankError::Insufficient { need: amount, have: self.balance });
        }
        self.balance -= amount;
        Ok(())
    }
}

#[derive(Debug, Clone)]
enum Entry {
    Transfer { from: u32, to: u32, amount: Cents },
    Failed(BankError),
}

struct Bank {
    accounts: RwLock<BTreeMap<u32, Arc<Mutex<Account>>>>,
    next: AtomicU64,
    ledger: Mutex<Option<Sender<Entry>>>,
}
impl Bank {
    fn new() -> (Arc<Bank>, Receiver<Entry>) {
        let (tx, rx) = mpsc::channel();
        (Arc::new(Bank { accounts: RwLock::default(), next: AtomicU64::new(1), ledger: Mutex::new(Some(tx)) }), rx)
    }
    fn open(&self, owner: &str, balance: Cents) -> u32 {
        let id = self.next.fetch_add(1, Ordering::Relaxed) as u32;
        let a = Account { id, owner: owner.to_owned(), balance, frozen: false };
        self.accounts.write().unwrap().insert(id, Arc::new(Mutex::new(a)));
        id
    }
    fn account(&self, id: u32) -> Result<Arc<Mutex<Account>>, BankError> {
        self.accounts.read().unwrap().get(&id).cloned().ok_or(BankError::NoAccount(id))
    }
    fn transfer(&self, from: u32, to: u32, amount: Cents) -> Result<(), BankError> {
        if from == to {
            return Err(BankError::SameAccount);
        }
        let (a, b) = (self.account(from)?, self.account(to)?);
        // Always lock the smaller id first.
        let (mut a, mut b) = if from < to {
            let a = a.lock().unwrap();
            (a, b.lock().unwrap())
        } else {
            let b = b.lock().unwrap();
            (a.lock().unwrap(), b)
        };
        a.withdraw(amount)?;
        b.balance += amount;
        Ok(())
    }
    fn log(&self, e: Entry) {
        if let Some(tx) = self.ledger.lock().unwrap().as_ref() {
            tx.send(e).expect("ledger is open");
        }
    }
    fn total(&self) -> Cents {
        self.accounts.read().unwrap().values().map(|a| a.lock().unwrap().balance).sum()
    }
}

struct Job {
    from: u32,
    to: u32,
    amount: Cents,
}
#[derive(Default)]
struct Queue {
    state: Mutex<(Vec<Job>, bool)>,
    ready: Condvar,
}
impl Queue {
    fn push(&self, j: Job) {
        self.state.lock().unwrap().0.push(j);
        self.ready.notify_one();
    }
    fn close(&self) {
        self.state.lock().unwrap().1 = true;
        self.ready.notify_all();
    }
    fn pop(&self) -> Option<Job> {
        let mut s = self.state.lock().unwrap();
        loop {
            if let Some(j) = s.0.pop() {
                return Some(j);
            }
            if s.1 {
                return None;
            }
            s = self.ready.wait(s).unwrap();
        }
    }
}

fn main() -> Result<(), BankError> {
    let (bank, rx) = Bank::new();
    let ids: Vec<u32> = [("ann", 1000), ("bob", 1000), ("cy", 1000)].iter().map(|(n, b)| bank.open(n, *b)).collect();
    println!("{ids:?} {}", bank.total());
    let ledger = thread::Builder::new()
        .name("ledger".into())
        .spawn(move || {
            let (mut net, mut failures) = (BTreeMap::<u32, Cents>::new(), BTreeMap::<String, u32>::new());
            for e in rx {
                match e {
                    Entry::Transfer { from, to, amount } => {
                        *net.entry(from).or_default() -= amount;
                        *net.entry(to).or_default() += amount;
                    }
                    Entry::Failed(e) => *failures.entry(e.to_string()).or_insert(0) += 1,
                }
            }
            (net, failures)
        })
        .unwrap();
    let queue = Arc::new(Queue::default());
    let workers: Vec<_> = (0..3)
        .map(|i| {
            let (bank, queue) = (Arc::clone(&bank), Arc::clone(&queue));
            thread::Builder::new()
                .name(format!("worker-{i}"))
                .spawn(move || {
                    let mut done = 0u32;
                    while let Some(Job { from, to, amount }) = queue.pop() {
                        let entry = match bank.transfer(from, to, amount) {
                            Ok(()) => Entry::Transfer { from, to, amount },
                            Err(e) => Entry::Failed(e),
                        };
                        bank.log(entry);
                        done += 1;
                    }
                    done
                })
                .unwrap()
        })
        .collect();
    for i in 0..12i64 {
        let (from, to) = (ids[i as usize % 3], ids[(i as usize + 1 + i as usize / 3 % 2) % 3]);
        queue.push(Job { from, to, amount: 5 + i });
    }
    queue.push(Job { from: 1, to: 99, amount: 1 });
    queue.close();
    let done: u32 = workers.into_iter().map(|w| w.join().unwrap()).sum();
    bank.ledger.lock().unwrap().take();
    let (net, failures) = ledger.join().unwrap();
    println!("{done} {net:?} {failures:?}");
    for id in &ids {
        let a = bank.account(*id)?;
        let a = a.lock().unwrap();
        println!("{} {} {}", a.owner, a.balance, a.balance - 1000 == net[id]);
    }
    println!("total {}", bank.total());
    bank.account(2)?.lock().unwrap().frozen = true;
    println!("{:?}", bank.transfer(2, 1, 1));
    println!("{:?}", bank.transfer(1, 2, 1_000_000).map_err(|e| e.to_string()));
    let b = Arc::clone(&bank);
    let r = thread::spawn(move || {
        let a = b.account(3).unwrap();
        let mut g = a.lock().unwrap();
        g.balance += 1;
        panic!("teller faints");
    })
    .join();
    println!("{} {}", r.is_err(), bank.account(3)?.is_poisoned());
    println!("{}", bank.account(3)?.lock().unwrap_or_else(|e| e.into_inner()).balance - 1000 - net[&3]);
    bank.transfer(1, 42, 5)?;
    println!("not reached");
    Ok(())
}
