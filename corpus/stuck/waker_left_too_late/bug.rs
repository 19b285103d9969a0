use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

fn block_on<F: Future>(future: F) -> F::Output {
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(value) => return value,
            Poll::Pending => thread::park(), //~ deadlock
        }
    }
}

#[derive(Default)]
struct Gate {
    open: bool,
    waiting: Vec<Waker>,
}

#[derive(Clone, Default)]
struct Event(Arc<Mutex<Gate>>);

impl Event {
    fn set(&self) {
        let mut gate = self.0.lock().unwrap();
        gate.open = true;
        for waker in gate.waiting.drain(..) {
            waker.wake();
        }
    }
}

impl Future for Event {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.0.lock().unwrap().open {
            return Poll::Ready(());
        }
        self.0.lock().unwrap().waiting.push(context.waker().clone());
        Poll::Pending
    }
}

async fn started(event: Event, name: &str) -> String {
    event.await;
    format!("{name} started")
}

// The event may be set after it was read and before the waker is stored, and then nobody wakes the task.
fn main() {
    let event = Event::default();
    let starter = thread::spawn({
        let event = event.clone();
        move || event.set()
    });
    println!("{}", block_on(started(event, "server")));
    starter.join().unwrap();
}
