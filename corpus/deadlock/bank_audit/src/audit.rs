use crate::ledger::Ledger;
use std::sync::Mutex;

#[derive(Default)]
pub struct Audit {
    log: Mutex<Vec<(u64, i64)>>,
}

impl Audit {
    pub fn record(&self, id: u64, amount: i64) {
        self.log.lock().unwrap().push((id, amount));
    }

    pub fn reconcile(&self, ledger: &Ledger) -> bool {
        let log = self.log.lock().unwrap();
        log.iter().all(|&(id, _)| ledger.balance(id) >= 0)
    }
}
