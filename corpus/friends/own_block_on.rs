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
    let mut future = pin!(future);
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut context = Context::from_waker(&waker);
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(output) => return output,
            Poll::Pending => thread::park(),
        }
    }
}

#[derive(Default)]
struct State {
    value: Option<u32>,
    waker: Option<Waker>,
}

#[derive(Clone, Default)]
struct Answer(Arc<Mutex<State>>);

impl Answer {
    fn give(&self, value: u32) {
        let mut state = self.0.lock().unwrap();
        state.value = Some(value);
        if let Some(waker) = state.waker.take() {
            waker.wake();
        }
    }
}

impl Future for Answer {
    type Output = u32;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<u32> {
        let mut state = self.0.lock().unwrap();
        match state.value.take() {
            Some(value) => Poll::Ready(value),
            None => {
                state.waker = Some(context.waker().clone());
                Poll::Pending
            }
        }
    }
}

// The waker is stored under the lock that the value is read under, so no wake-up is lost.
fn main() {
    let answer = Answer::default();
    let giver = {
        let answer = answer.clone();
        thread::spawn(move || answer.give(41))
    };
    println!("{}", block_on(async { answer.await + 1 }));
    giver.join().unwrap();
}
