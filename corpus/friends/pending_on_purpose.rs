use std::future::{Future, pending};
use std::pin::pin;
use std::sync::Arc;
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
            Poll::Pending => thread::park(),
        }
    }
}

macro_rules! run {
    ($($statements:tt)*) => {
        block_on(async { $($statements)* })
    };
}

// `main` awaits a future that is never ready, and means to go on until it is stopped.
fn main() {
    let worker = thread::spawn(|| {
        loop {
            println!("works");
            thread::park();
        }
    });
    run! {
        worker.thread().unpark();
        pending::<()>().await;
    }
}
