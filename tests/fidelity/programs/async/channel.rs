use std::cell::RefCell;
use std::collections::VecDeque;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};

struct Chan<T> {
    items: VecDeque<T>,
    cap: usize,
    senders: usize,
    recv_waker: Option<Waker>,
    send_wakers: Vec<Waker>,
}

struct Tx<T>(Rc<RefCell<Chan<T>>>);
struct Rx<T>(Rc<RefCell<Chan<T>>>);

fn channel<T>(cap: usize) -> (Tx<T>, Rx<T>) {
    let c = Rc::new(RefCell::new(Chan { items: VecDeque::new(), cap, senders: 1, recv_waker: None, send_wakers: vec![] }));
    (Tx(c.clone()), Rx(c))
}
impl<T> Clone for Tx<T> {
    fn clone(&self) -> Self {
        self.0.borrow_mut().senders += 1;
        Tx(self.0.clone())
    }
}
impl<T> Drop for Tx<T> {
    fn drop(&mut self) {
        let mut c = self.0.borrow_mut();
        c.senders -= 1;
        if c.senders == 0 && let Some(w) = c.recv_waker.take() {
            w.wake();
        }
    }
}
impl<T> Tx<T> {
    async fn send(&self, t: T) {
        let mut t = Some(t);
        poll_fn(|cx| {
            let mut c = self.0.borrow_mut();
            if c.items.len() == c.cap {
                c.send_wakers.push(cx.waker().clone());
                return Poll::Pending;
            }
            c.items.push_back(t.take().unwrap());
            if let Some(w) = c.recv_waker.take() {
                w.wake();
            }
            Poll::Ready(())
        })
        .await
    }
}
impl<T> Rx<T> {
    async fn recv(&mut self) -> Option<T> {
        poll_fn(|cx| {
            let mut c = self.0.borrow_mut();
            if let Some(t) = c.items.pop_front() {
                c.send_wakers.drain(..).for_each(Waker::wake);
                return Poll::Ready(Some(t));
            }
            if c.senders == 0 {
                return Poll::Ready(None);
            }
            c.recv_waker = Some(cx.waker().clone());
            Poll::Pending
        })
        .await
    }
}

struct TaskWaker {
    id: usize,
    queued: AtomicBool,
    queue: Arc<Mutex<VecDeque<usize>>>,
}
impl Wake for TaskWaker {
    fn wake(self: Arc<Self>) {
        if !self.queued.swap(true, Ordering::SeqCst) {
            self.queue.lock().unwrap().push_back(self.id);
        }
    }
}

#[derive(Default)]
struct Exec {
    tasks: Vec<Option<(Pin<Box<dyn Future<Output = ()>>>, Arc<TaskWaker>)>>,
    queue: Arc<Mutex<VecDeque<usize>>>,
}
impl Exec {
    fn spawn(&mut self, f: impl Future<Output = ()> + 'static) {
        let id = self.tasks.len();
        let w = Arc::new(TaskWaker { id, queued: AtomicBool::new(true), queue: self.queue.clone() });
        self.queue.lock().unwrap().push_back(id);
        self.tasks.push(Some((Box::pin(f), w)));
    }
    fn run(&mut self) -> usize {
        let mut polls = 0;
        loop {
            let Some(id) = self.queue.lock().unwrap().pop_front() else { return polls };
            let Some((fut, w)) = &mut self.tasks[id] else { continue };
            w.queued.store(false, Ordering::SeqCst);
            polls += 1;
            let waker = Waker::from(w.clone());
            if fut.as_mut().poll(&mut Context::from_waker(&waker)).is_ready() {
                println!("task {id} done");
                self.tasks[id] = None;
            }
        }
    }
}

fn main() {
    let mut e = Exec::default();
    let (tx, mut rx) = channel(1);
    let tx2 = tx.clone();
    e.spawn(async move {
        let mut sum = 0;
        while let Some(n) = rx.recv().await {
            println!("received {n}");
            sum += n;
        }
        println!("sum {sum}");
    });
    e.spawn(async move {
        for i in 0..3 {
            tx.send(i).await;
            println!("sent {i}");
        }
    });
    e.spawn(async move {
        for i in [10, 20] {
            tx2.send(i).await;
            println!("sent {i}");
        }
    });
    println!("polls {}", e.run());
    println!("left {}", e.tasks.iter().flatten().count());
}
