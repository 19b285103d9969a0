use std::cell::{Cell, RefCell};
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, RawWaker, RawWakerVTable, Wake, Waker};

fn raw() -> RawWaker {
    fn clone(_: *const ()) -> RawWaker {
        println!("clone");
        raw()
    }
    fn noop(_: *const ()) {
        println!("wake");
    }
    fn drop(_: *const ()) {
        println!("waker dropped");
    }
    static VTABLE: RawWakerVTable = RawWakerVTable::new(clone, noop, noop, drop);
    RawWaker::new(std::ptr::null(), &VTABLE)
}

fn block_on<F: Future>(f: F, waker: &Waker) -> F::Output {
    let mut f = pin!(f);
    let mut cx = Context::from_waker(waker);
    loop {
        match f.as_mut().poll(&mut cx) {
            Poll::Ready(v) => return v,
            Poll::Pending => println!("pending"),
        }
    }
}

struct Count(AtomicUsize);
impl Wake for Count {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

struct Yield {
    left: u32,
}
impl Future for Yield {
    type Output = &'static str;
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<&'static str> {
        if self.left == 0 {
            return Poll::Ready("yielded");
        }
        self.left -= 1;
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}

async fn add(a: i32, b: i32) -> i32 {
    Yield { left: 1 }.await;
    a + b
}

async fn outer(log: Rc<RefCell<Vec<String>>>) -> i32 {
    let mut total = 0;
    for i in 0..3 {
        let x = add(i, total).await;
        log.borrow_mut().push(format!("step {i} {x}"));
        total += x;
        if total > 3 {
            return total * 100;
        }
    }
    total
}

fn fib(n: u32) -> Pin<Box<dyn Future<Output = u32>>> {
    Box::pin(async move {
        if n < 2 { n } else { fib(n - 1).await + fib(n - 2).await }
    })
}

fn main() {
    let w = unsafe { Waker::from_raw(raw()) };
    println!("{}", block_on(Yield { left: 1 }, &w));
    let w2 = w.clone();
    println!("{}", w.will_wake(&w2));
    drop(w2);
    let c = Arc::new(Count(AtomicUsize::new(0)));
    let cw = Waker::from(c.clone());
    let log = Rc::new(RefCell::new(vec![]));
    println!("{}", block_on(outer(log.clone()), &cw));
    println!("{:?} {}", log.borrow(), c.0.load(Ordering::SeqCst));
    println!("{}", block_on(fib(8), Waker::noop()));
    let n = Cell::new(3);
    let v = block_on(
        poll_fn(|_| {
            n.set(n.get() - 1);
            if n.get() == 0 { Poll::Ready("polled") } else { Poll::Pending }
        }),
        Waker::noop(),
    );
    println!("{v}");
    println!("{}", block_on(async { async { 1 }.await + std::future::ready(2).await }, Waker::noop()));
    drop(cw);
    println!("{}", Arc::strong_count(&c));
}
