//! Derives for types whose fields name associated types of other types.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Mutex;

trait Link {
    type Target;
}

struct List<L, T> {
    items: Vec<T>,
    _marker: PhantomData<L>,
}

impl<L: Link> Default for List<L, L::Target> {
    fn default() -> Self {
        List { items: Vec::new(), _marker: PhantomData }
    }
}

impl<L: Link> fmt::Debug for List<L, L::Target> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "List of {}", self.items.len())
    }
}

/// It does not implement `Default`.
#[derive(Debug)]
struct Waiter;

impl Link for Waiter {
    type Target = Waiter;
}

#[derive(Debug, Default)]
struct Waiters {
    list: List<Waiter, <Waiter as Link>::Target>,
    reader: Option<u8>,
}

fn main() {
    let waiters: Mutex<Waiters> = Mutex::new(Default::default());
    waiters.lock().unwrap().list.items.push(Waiter);
    println!("{:?}", waiters.lock().unwrap());
    let by_name: Mutex<Waiters> = Mutex::new(Waiters::default());
    by_name.lock().unwrap().list.items.push(Waiter);
    println!("{:?}", by_name.lock().unwrap());
}
