//! What was ordered and what was shipped.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use dashmap::DashMap;
use derive_more::Display;
use indexmap::IndexMap;
use parking_lot::{Mutex, RwLock};
use serde::{Deserialize, Serialize};
use std::{sync::Arc, thread::JoinHandle, time::Duration};
use strum::EnumString;
use thiserror::Error;
use tokio::sync::mpsc;
use uuid::Uuid;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Display, EnumString, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    Open,
    Shipped,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Order {
    pub id: Uuid,
    pub article: String,
    pub count: u32,
    pub state: State,
    pub since: DateTime<Utc>,
}

#[derive(Error, Debug)]
pub enum LedgerError {
    #[error("{0} orders are open already")]
    Full(usize),
    #[error("there is no order {0}")]
    Unknown(Uuid),
}

#[derive(Clone, Debug)]
pub enum Event {
    Ordered(Uuid),
    Shipped(Uuid),
}

#[async_trait]
pub trait Carrier {
    async fn carry(&self, order: &Order) -> bool;
}

pub struct Ledger {
    orders: RwLock<IndexMap<Uuid, Order>>,
    open: Mutex<Vec<Uuid>>,
    by_article: DashMap<String, u32>,
    most_open: usize,
    events: mpsc::Sender<Event>,
}

impl Ledger {
    pub fn new(most_open: usize, events: mpsc::Sender<Event>) -> Ledger {
        Ledger { orders: RwLock::default(), open: Mutex::default(), by_article: DashMap::new(), most_open, events }
    }

    pub async fn order(&self, article: String, count: u32) -> Result<Order, LedgerError> {
        let order = Order { id: Uuid::new_v4(), article, count, state: State::Open, since: Utc::now() };
        {
            let mut orders = self.orders.write();
            let mut open = self.open.lock();
            if open.len() >= self.most_open {
                return Err(LedgerError::Full(open.len()));
            }
            open.push(order.id);
            orders.insert(order.id, order.clone());
        }
        *self.by_article.entry(order.article.clone()).or_default() += order.count;
        let _ = self.events.send(Event::Ordered(order.id)).await;
        Ok(order)
    }

    pub fn get(&self, id: Uuid) -> Result<Order, LedgerError> {
        self.orders.read().get(&id).cloned().ok_or(LedgerError::Unknown(id))
    }

    pub fn statistics(&self) -> Vec<(String, u32)> {
        self.by_article.iter().map(|entry| (entry.key().clone(), *entry.value())).collect()
    }

    fn take_open(&self) -> Vec<Order> {
        let orders = self.orders.read();
        let open = std::mem::take(&mut *self.open.lock());
        open.iter().filter_map(|id| orders.get(id).cloned()).collect()
    }

    async fn shipped(&self, id: Uuid) {
        if let Some(order) = self.orders.write().get_mut(&id) {
            order.state = State::Shipped;
        }
        let _ = self.events.send(Event::Shipped(id)).await;
    }
}

pub struct Van;

#[async_trait]
impl Carrier for Van {
    async fn carry(&self, order: &Order) -> bool {
        tokio::time::sleep(Duration::from_millis(u64::from(order.count))).await;
        rand::random_ratio(9, 10)
    }
}

/// Ships what is open, again and again.
pub async fn ship(ledger: Arc<Ledger>, pause: Duration) {
    let mut interval = tokio::time::interval(pause);
    loop {
        interval.tick().await;
        for order in ledger.take_open() {
            if Van.carry(&order).await {
                ledger.shipped(order.id).await;
            }
        }
    }
}

/// A thread of its own, as files block.
pub fn write_events(mut inbox: mpsc::Receiver<Event>) -> JoinHandle<()> {
    std::thread::spawn(move || {
        while let Some(event) = inbox.blocking_recv() {
            println!("{event:?}");
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn orders_are_shipped() {
        let (events, inbox) = mpsc::channel(64);
        let ledger = Arc::new(Ledger::new(2, events));
        let writer = write_events(inbox);
        let (one, two) = tokio::join!(ledger.order("a".to_owned(), 1), ledger.order("b".to_owned(), 2));
        let (one, two) = (one.unwrap(), two.unwrap());
        assert!(ledger.order("c".to_owned(), 3).await.is_err());
        let other = ledger.clone();
        let shipping = tokio::spawn(async move { other.shipped(one.id).await });
        ledger.shipped(two.id).await;
        shipping.await.unwrap();
        assert_eq!(ledger.get(one.id).unwrap().state, State::Shipped);
        assert_eq!(ledger.statistics().len(), 2);
        drop(ledger);
        writer.join().unwrap();
    }
}
