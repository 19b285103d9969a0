// A hand-written executor: wakers, a queue, `select` and `join` futures, drops of half-run futures, streams.
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::{poll_fn, Future};
use std::pin::{pin, Pin};
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};

struct Loud(&'static str);
impl Drop for Loud { fn drop(&mut self) { println!("  drop {}", self.0) } }

struct Ready { id: usize, queue: Arc<Mutex<VecDeque<usize>>>, wakes: AtomicUsize }
impl Wake for Ready {
    fn wake(self: Arc<Self>) { self.wake_by_ref() }
    fn wake_by_ref(self: &Arc<Self>) { self.wakes.fetch_add(1, Ordering::Relaxed); self.queue.lock().unwrap().push_back(self.id) }
}
#[derive(Default)]
struct Executor { tasks: Vec<Option<Pin<Box<dyn Future<Output = ()>>>>>, queue: Arc<Mutex<VecDeque<usize>>>, wakers: Vec<Arc<Ready>> }
impl Executor {
    fn spawn(&mut self, future: impl Future<Output = ()> + 'static) {
        let id = self.tasks.len();
        self.tasks.push(Some(Box::pin(future)));
        self.wakers.push(Arc::new(Ready { id, queue: self.queue.clone(), wakes: AtomicUsize::new(0) }));
        self.queue.lock().unwrap().push_back(id);
    }
    fn run(&mut self) {
        loop {
            let Some(id) = self.queue.lock().unwrap().pop_front() else { break };
            let Some(task) = &mut self.tasks[id] else { continue };
            let waker = Waker::from(self.wakers[id].clone());
            if task.as_mut().poll(&mut Context::from_waker(&waker)).is_ready() { println!("task {id} done"); self.tasks[id] = None; }
        }
        println!("{:?}", self.wakers.iter().map(|w| w.wakes.load(Ordering::Relaxed)).collect::<Vec<_>>());
    }
}
async fn pause(times: u32) {
    let mut left = times;
    poll_fn(|cx| if left == 0 { Poll::Ready(()) } else { left -= 1; cx.waker().wake_by_ref(); Poll::Pending }).await
}
struct Select<A, B>(Option<A>, Option<B>);
impl<A: Future + Unpin, B: Future<Output = A::Output> + Unpin> Future for Select<A, B> {
    type Output = (A::Output, u8);
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        if let Poll::Ready(value) = Pin::new(self.0.as_mut().unwrap()).poll(cx) { self.1 = None; return Poll::Ready((value, 0)) }
        if let Poll::Ready(value) = Pin::new(self.1.as_mut().unwrap()).poll(cx) { self.0 = None; return Poll::Ready((value, 1)) }
        Poll::Pending
    }
}
async fn step(name: &'static str, times: u32) -> &'static str {
    let _loud = Loud(name);
    pause(times).await;
    println!("  {name} ends");
    name
}
#[derive(Default)]
struct Channel { items: RefCell<VecDeque<u32>>, waker: RefCell<Option<Waker>>, closed: Cell<bool> }
impl Channel {
    fn send(&self, n: u32) { self.items.borrow_mut().push_back(n); if let Some(w) = self.waker.take() { w.wake() } }
    async fn next(&self) -> Option<u32> {
        poll_fn(|cx| match self.items.borrow_mut().pop_front() {
            Some(n) => Poll::Ready(Some(n)),
            None if self.closed.get() => Poll::Ready(None),
            None => { *self.waker.borrow_mut() = Some(cx.waker().clone()); Poll::Pending }
        }).await
    }
}

fn main() {
    let mut executor = Executor::default();
    executor.spawn(async {
        let (winner, which) = Select(Some(Box::pin(step("slow", 5))), Some(Box::pin(step("fast", 2)))).await;
        println!("  winner {winner} {which}");
    });
    let channel = Rc::new(Channel::default());
    let sender = channel.clone();
    executor.spawn(async move { let _l = Loud("receiver"); while let Some(n) = channel.next().await { println!("  got {n}"); } });
    executor.spawn(async move { for n in 0..3 { sender.send(n); pause(1).await; } sender.closed.set(true); sender.send(9); });
    executor.spawn(async { let _l = Loud("never finished"); std::future::pending::<()>().await });
    executor.spawn(async { let v = vec![Loud("a"), Loud("b")]; for item in v { pause(1).await; println!("  with {}", item.0); } });
    executor.run();
    println!("executor goes");
    drop(executor);
    let mut context = Context::from_waker(Waker::noop());
    let mut recursion = pin!(depth(4));
    println!("{:?}", recursion.as_mut().poll(&mut context));
    {
        let mut dropped = Box::pin(async { let _a = Loud("outer"); let r = async { let _b = Loud("inner"); pause(9).await; 1 }.await; r });
        println!("{:?}", dropped.as_mut().poll(&mut context));
        println!("{:?}", dropped.as_mut().poll(&mut context));
    }
    let not_started = step("never started", 1);
    drop(not_started);
    let panics = std::panic::catch_unwind(|| {
        let mut f = Box::pin(async { let _l = Loud("in panicking future"); pause(0).await; panic!("inside") });
        let _: Poll<()> = f.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    });
    println!("{}", panics.is_err());
}
fn depth(n: u32) -> Pin<Box<dyn Future<Output = u32>>> {
    Box::pin(async move { if n == 0 { 0 } else { n + depth(n - 1).await } })
}
