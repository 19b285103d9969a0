mod audit;
mod ledger;
use ledger::Ledger;
use std::{sync::Arc, thread};

fn main() {
    let ledger = Arc::new(Ledger::default());
    ledger.deposit(1, 10);
    let teller = thread::Builder::new().name("teller".into()).spawn({
        let ledger = ledger.clone();
        move || ledger.deposit(7, 100)
    }).unwrap();
    let ok = ledger.audit.reconcile(&ledger);
    teller.join().unwrap();
    println!("{ok}");
}
