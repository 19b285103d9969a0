// What lives across an await is dropped when its future is: at its end, in its turn, or where it was left.

use std::{
    cell::RefCell,
    future::{Future, poll_fn},
    pin::{Pin, pin},
    task::{Context, Poll, Waker},
};

thread_local! {
    static LOG: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

fn log(what: impl Into<String>) {
    LOG.with_borrow_mut(|log| log.push(what.into()));
}

struct Guard(&'static str);

impl Drop for Guard {
    fn drop(&mut self) {
        log(format!("-{}", self.0));
    }
}

async fn turns(count: u32) {
    let mut left = count;
    poll_fn(|_| {
        left = left.saturating_sub(1);
        if left == 0 { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}

async fn work(name: &'static str, count: u32) -> usize {
    let _outer = Guard(name);
    log(format!("+{name}"));
    {
        let _inner = Guard("inner");
        turns(count).await;
    }
    let text = String::from(name);
    match Guard("scrutinee").0.len() + text.len() {
        n if n > 100 => 0,
        n => {
            turns(2).await;
            n
        }
    }
}

fn polls<F: Future>(mut future: Pin<&mut F>, times: u32) -> Option<F::Output> {
    let mut context = Context::from_waker(Waker::noop());
    (0..times).find_map(|_| match future.as_mut().poll(&mut context) {
        Poll::Ready(value) => Some(value),
        Poll::Pending => None,
    })
}

fn told() -> String {
    LOG.take().join(" ")
}

fn main() {
    let result = polls(pin!(work("whole", 2)), 9);
    println!("{result:?}: {}", told());
    for times in 0..4 {
        {
            let future = pin!(work("left", 2));
            log(format!("{:?}", polls(future, times)));
        }
        println!("{times}: {}", told());
    }
    {
        let both = pin!(async {
            let mut one = pin!(work("one", 3));
            let mut two = pin!(work("two", 1));
            poll_fn(|context| {
                if let Poll::Ready(n) = one.as_mut().poll(context) {
                    return Poll::Ready(("one", n));
                }
                two.as_mut().poll(context).map(|n| ("two", n))
            })
            .await
        });
        log(format!("{:?}", polls(both, 9)));
    }
    println!("{}", told());
}
