use crate::audit::Audit;
use std::{collections::HashMap, sync::Mutex};

#[derive(Default)]
pub struct Ledger {
    accounts: Mutex<HashMap<u64, i64>>,
    pub audit: Audit,
}

impl Ledger {
    pub fn deposit(&self, id: u64, amount: i64) {
        let mut accounts = self.accounts.lock().unwrap();
        *accounts.entry(id).or_default() += amount;
        self.audit.record(id, amount);
    }

    pub fn balance(&self, id: u64) -> i64 {
        self.accounts.lock().unwrap().get(&id).copied().unwrap_or(0)
    }
}
