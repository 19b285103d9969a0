//! Two tasks on one thread append to one log, each before and after an event that another thread sends.

use std::{
    cell::RefCell,
    pin::Pin,
    rc::Rc,
    sync::{Arc, mpsc},
    task::{Context, Poll, Wake, Waker},
    thread,
};

struct Ready {
    id: usize,
    queue: mpsc::Sender<usize>,
}

impl Wake for Ready {
    fn wake(self: Arc<Self>) {
        let _ = self.queue.send(self.id);
    }
}

struct Event {
    is_started: bool,
}

impl Future for Event {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context) -> Poll<()> {
        if self.is_started {
            return Poll::Ready(());
        }
        self.is_started = true;
        let waker = context.waker().clone();
        thread::spawn(move || waker.wake());
        Poll::Pending
    }
}

async fn append(log: Rc<RefCell<Vec<u32>>>, number: u32) {
    Event { is_started: false }.await;
    let mut log = log.borrow_mut(); //~ schedule-dependent-panic
    log.push(number);
    Event { is_started: false }.await;
    log.push(number + 10);
}

// The log stays borrowed across an `.await`, during which the other task may want it.
fn main() {
    let log = Rc::new(RefCell::new(Vec::new()));
    let (queue, ready) = mpsc::channel();
    let mut tasks: Vec<Option<Pin<Box<dyn Future<Output = ()>>>>> =
        (0..2).map(|number| Some(Box::pin(append(log.clone(), number)) as _)).collect();
    (0..2).for_each(|id| queue.send(id).unwrap());
    let mut left = 2;
    while left > 0 {
        let id = ready.recv().unwrap();
        let waker = Waker::from(Arc::new(Ready { id, queue: queue.clone() }));
        let Some(task) = &mut tasks[id] else { continue };
        if task.as_mut().poll(&mut Context::from_waker(&waker)).is_ready() {
            tasks[id] = None;
            left -= 1;
        }
    }
    assert_eq!(log.borrow().len(), 4);
}
