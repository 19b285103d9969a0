use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::Mutex;
use std::task::{Context, Poll, Waker};

#[derive(Default)]
struct YieldNow(bool);

impl Future for YieldNow {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.0 {
            return Poll::Ready(());
        }
        self.0 = true;
        context.waker().wake_by_ref();
        Poll::Pending
    }
}

async fn deposit(balance: &Mutex<u32>, amount: u32) {
    let mut balance = balance.lock().unwrap();
    *balance += amount;
    drop(balance);
    YieldNow::default().await;
}

// Two tasks share a thread, and one of them keeps the guard while the other one runs.
fn main() {
    let balance = Mutex::new(0);
    let mut first = pin!(deposit(&balance, 10));
    let mut second = pin!(deposit(&balance, 20));
    let mut context = Context::from_waker(Waker::noop());
    let (mut first_done, mut second_done) = (false, false);
    while !(first_done && second_done) {
        first_done = first_done || first.as_mut().poll(&mut context).is_ready();
        second_done = second_done || second.as_mut().poll(&mut context).is_ready();
    }
    println!("{}", balance.lock().unwrap());
}
